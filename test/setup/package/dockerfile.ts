/**
 * Builds a Dockerfile without Docker: every stage is a folder, COPY copies into it, and RUN runs there on this machine's Node 24.
 * Limitations: the base image must be one of Node 24; RUN, COPY and WORKDIR mean what they mean in Docker only for relative paths and
 * for paths below the stage; of .dockerignore only `*` and `!path` are understood. What is not understood throws.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { run, type Serving, serve, shellEnvironment } from "../process/command.ts";

/** A stage of a build: its root folder, and what its instructions have set so far. */
interface Stage {
  readonly root: string;
  readonly environment: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: readonly string[];
}

/** An instruction such as `COPY a b`: its name and the rest. */
type Instruction = readonly [name: string, rest: string];

/** The instructions of a Dockerfile, continued lines joined and comments left out. */
function instructions(text: string): Instruction[] {
  const joined = text.replace(/^\s*#.*\n/gm, "").replace(/\\\n\s*/g, " ");
  const lines = joined.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? refuse("", line);
    return [name, rest];
  });
}

export class Image {
  readonly stage: Stage;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** Takes away every right to write in it. */
  seal(): void {
    for (const name of readdirSync(this.stage.root, { recursive: true, encoding: "utf8" })) {
      const path = join(this.stage.root, name);
      if (existsSync(path)) chmodSync(path, statSync(path).mode & 0o555);
    }
  }

  /** Runs a command of the image to its end and returns its standard output. */
  run([program = "", ...args]: readonly string[], environment: Record<string, string> = {}): Promise<string> {
    return run(program, args, this.options(environment));
  }

  serve(environment: Record<string, string>): Promise<Serving> {
    const [program = "", ...args] = [...this.stage.entrypoint, ...this.stage.command];
    return serve(program, args, this.options(environment));
  }

  /** As its user, in its working directory, with nothing but its own environment; Node itself refuses to write any file. */
  private options(environment: Record<string, string>) {
    const { stage } = this;
    const readOnly = { NODE_OPTIONS: "--permission --allow-fs-read=* --allow-child-process" };
    return { ...placeAndAccount(stage), env: { ...environmentOf(stage), ...readOnly, ...environment } };
  }
}

/** Where a path of the stage is on this machine. */
function placeOf({ root, workdir }: Stage, path: string): string {
  return path.startsWith("/") ? join(root, path) : join(root, workdir, path);
}

/** The stage's environment; folders of PATH that the stage has are those of the stage. */
function environmentOf(stage: Stage): Record<string, string> {
  const { PATH = "", ...others } = stage.environment;
  const folders = PATH.split(":").map((folder) =>
    existsSync(join(stage.root, folder)) ? join(stage.root, folder) : folder,
  );
  return { ...others, PATH: folders.join(":") };
}

/** Root drops to the stage's user; another account runs everything itself. */
function placeAndAccount(stage: Stage): { cwd: string; uid?: number; gid?: number } {
  const cwd = placeOf(stage, ".");
  if (stage.user === "root" || process.getuid?.() !== 0) return { cwd };
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(stage.user) ?? refuse("USER", stage.user);
  return { cwd, uid: Number(uid), gid: Number(gid) };
}

/** Whether .dockerignore lets a path of the context into the build. */
function admission(context: string): (path: string) => boolean {
  const lines = readFileSync(join(context, ".dockerignore"), "utf8").split("\n");
  const [everything, ...kept] = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (everything !== "*" || kept.some((line) => !/^![\w./-]+$/.test(line)))
    throw new Error(".dockerignore: not understood");
  const paths = kept.map((line) => line.slice(1));
  return (path) => paths.some((kept) => path === kept || path.startsWith(`${kept}/`) || kept.startsWith(`${path}/`));
}

/** Builds the Dockerfile of a context into an empty folder; returns its last stage. */
export async function build(
  dockerfile: string,
  context: string,
  folder: string,
  buildArguments: Record<string, string>,
): Promise<Image> {
  const programs = join(folder, "node");
  mkdirSync(programs);
  symlinkSync(process.execPath, join(programs, "node"));
  const stages = new Map<string, Stage>();
  const admitted = admission(context);
  let stage: Stage | undefined;
  for (const [name, rest] of instructions(readFileSync(join(context, dockerfile), "utf8"))) {
    if (name === "FROM") {
      const [, label = "last"] = /^node:24-[\w.-]+(?: AS (\w+))?$/.exec(rest) ?? refuse(name, rest);
      stage = emptyStage(join(folder, label), programs);
      stages.set(label, stage);
    } else if (!stage) refuse(name, rest);
    else if (name === "COPY") copy(stage, rest, stages, { context, admitted });
    else if (name === "RUN") await runIn(stage, rest);
    else if (name === "ARG") {
      // It is known to the stage's RUNs from here on; it stays out of the image, as the last stage declares none.
      const [argument = "", fallback = ""] = rest.split("=");
      stage.environment[argument] = buildArguments[argument] ?? fallback;
    } else set(stage, name, rest);
  }
  return new Image(stage ?? refuse("FROM", "is missing"));
}

function refuse(name: string, rest: string): never {
  throw new Error(`${name} ${rest}: not understood`);
}

function emptyStage(root: string, programs: string): Stage {
  mkdirSync(root);
  const environment = { PATH: `${programs}:${shellEnvironment().PATH}` };
  return { root, environment, workdir: "/", user: "root", entrypoint: [], command: [], healthcheck: [] };
}

/** Copies from another stage or from the context: files into a folder, or a folder's content. */
function copy(
  stage: Stage,
  rest: string,
  stages: ReadonlyMap<string, Stage>,
  { context, admitted }: { context: string; admitted: (path: string) => boolean },
): void {
  const words = rest.split(/\s+/);
  const [, from] = /^--from=(\w+)$/.exec(words[0] ?? "") ?? [];
  const paths = from ? words.slice(1) : words;
  const target = placeOf(stage, paths.pop() ?? refuse("COPY", rest));
  const source = from ? (stages.get(from) ?? refuse("COPY", rest)) : undefined;
  for (const path of paths) {
    const at = source ? placeOf(source, path) : join(context, path);
    const filter = (file: string) => source !== undefined || file === context || admitted(relative(context, file));
    const to = statSync(at).isDirectory() ? target : join(target, basename(path));
    if (!filter(at)) throw new Error(`COPY ${path}: kept out by .dockerignore`);
    cpSync(at, to, { recursive: true, verbatimSymlinks: true, filter });
  }
}

async function runIn(stage: Stage, script: string): Promise<void> {
  const env = { ...shellEnvironment(), ...environmentOf(stage) };
  await run("sh", ["-ec", `umask 022; ${script}`], { ...placeAndAccount(stage), env });
}

/** The instructions that only set something. */
function set(stage: Stage, name: string, rest: string): void {
  if (name === "WORKDIR") {
    stage.workdir = rest;
    mkdirSync(placeOf(stage, "."), { recursive: true });
  } else if (name === "ENV") {
    for (const word of rest.split(/\s+/)) {
      const [, variable = "", value = ""] = /^(\w+)=(.*)$/.exec(word) ?? refuse(name, rest);
      stage.environment[variable] = value.replace(/\$(\w+)/g, (_, other: string) => stage.environment[other] ?? "");
    }
  } else if (name === "USER") stage.user = rest;
  else if (name === "ENTRYPOINT") stage.entrypoint = JSON.parse(rest) as string[];
  else if (name === "CMD") stage.command = JSON.parse(rest) as string[];
  else if (name === "HEALTHCHECK") stage.healthcheck = JSON.parse(rest.replace(/^.*? CMD /, "")) as string[];
  else if (name !== "EXPOSE") refuse(name, rest);
}
