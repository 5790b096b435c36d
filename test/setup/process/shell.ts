/**
 * The commands of documents in a shell, as they are written there. Only these are put in: addresses, the key, ids, and `--yes` where a command
 * asks.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { root } from "../basics/documents.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { adminKey } from "../service/service.ts";

/** A command that writes the id of the change, or of the change set, that was made last. */
const lastId = (list: string) => `$(zonesmith ${list} --json | grep -o '[0-9]\\{16\\}' | head -n 1)`;

/** `zonesmith` with a person who means it, and with a doctor that finds what is not as it should be here, such as no SECRET_KEY. */
const command = `
zonesmith() {
  local text code=0
  text=$(command zonesmith "$@" 2>&1) || code=$?
  case "$code $1 $text" in
    *"Write --yes if it is meant."*) command zonesmith "$@" --yes ;;
    "1 doctor "*|"5 doctor "*) echo "$text" ;;
    *) echo "$text"; return $code ;;
  esac
}
`;

export class Shell {
  readonly #service: { readonly url: string; readonly databaseUrl: string; readonly dnsPort: number };
  readonly #folder = temporaryFolder();
  #exports = "";

  constructor(service: { readonly url: string; readonly databaseUrl: string; readonly dnsPort: number }) {
    this.#service = service;
  }

  /** Runs a block in bash, ended by its first failure, with what earlier blocks exported; returns what it prints. */
  async run(block: string): Promise<string> {
    const { url, databaseUrl, dnsPort } = this.#service;
    const text = block
      .replaceAll(/https?:\/\/(127\.0\.0\.1|zones\.example\.com):4000/g, url)
      .replaceAll('PATH="$PWD/bin', `PATH="${root}/bin`)
      .replace(/zs_\.\.\./, adminKey)
      .replace(/--change 1\d{15}/, `--change ${lastId("history example.com")}`)
      .replace(/(changeset \w+) 1\d{15}/g, `$1 ${lastId("changeset list")}`);
    const settings = { ZONESMITH_URL: url, DATABASE_URL: databaseUrl, DNS_PORT: `${dnsPort}` };
    const env = { PATH: process.env.PATH, HOME: "/nowhere", ...settings };
    const script = `${command}${this.#exports}\n${text}`;
    const options = { cwd: this.#folder, env };
    const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", "-euc", script], options).catch((error) => {
      throw new Error(`${text}\n${error.stdout}${error.stderr}`);
    });
    this.#exports += (text.match(/^export .*$/gm) ?? []).map((line) => `${line}\n`).join("");
    return stdout + stderr;
  }
}
