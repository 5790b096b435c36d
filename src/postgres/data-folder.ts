/**
 * The data folder of the embedded PostgreSQL: its owner, whether the owner reaches it, and the lock that allows one service at a time.
 *
 * DATA_DIR/postgres (0700) holds `lock` and `cluster`. Under root it belongs to an unprivileged account: the owner of DATA_DIR, or an
 * unused uid where root owns DATA_DIR. Where that account cannot reach DATA_DIR (a 0700 home), DATA_DIR/postgres is a link to a folder in
 * the shared directory. Limitation: without flock(1) the lock relies on process id and start time, which are not visible across containers.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../make-folder.ts";

/** The account that PostgreSQL runs as; the names are those of node's spawn options. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

interface DataFolder {
  readonly home: string;
  readonly account: Account;
  release(): void;
}

export const isRoot = process.getuid?.() === 0;

/** An id outside every range that Debian or systemd assigns, and below 65536, where user namespaces end. */
const unusedAccount: Account = { uid: 61053, gid: 61053 };

const ownAccount: Account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

/** Opens the folder for PostgreSQL in `dataDir`; creates it at the first start. Throws an error that says what to do. */
export function openDataFolder(dataDir: string, sharedDir: string, log: (line: string) => void): DataFolder {
  const link = join(resolve(dataDir), "postgres");
  try {
    makeFolder(dataDir);
    if (!fs.lstatSync(link, { throwIfNoEntry: false })) makeHome(link, sharedDir);
    if (!fs.existsSync(link)) {
      throw new Error(`${link} points to a folder that does not exist: restore it, or remove the link to start empty.`);
    }
    const home = fs.realpathSync(link);
    if (fs.lstatSync(link).isSymbolicLink()) log(`The data of ${dataDir} is kept in ${home}.`);
    const account = ownerOf(home);
    return { home, account, release: lock(home, account) };
  } catch (error) {
    throw withHint(dataDir, error as NodeJS.ErrnoException);
  }
}

function makeHome(link: string, sharedDir: string): void {
  const dataDir = fs.realpathSync(dirname(link));
  const owner = isRoot ? fs.statSync(dataDir) : ownAccount;
  const account = owner.uid === 0 ? unusedAccount : unprivileged(owner);
  if (makePrivate(link, account)) return;
  makeSharedDir(sharedDir);
  const elsewhere = join(sharedDir, `data-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`);
  if (!fs.existsSync(elsewhere)) makePrivate(elsewhere, account);
  try {
    fs.symlinkSync(elsewhere, link);
  } catch (error) {
    if (!fs.existsSync(link)) throw error;
  }
}

/** Creates a folder that only `account` may use, unless another process has created it. Returns false where the account cannot reach it. */
export function makePrivate(path: string, account: Account): boolean {
  const temporary = fs.mkdtempSync(`${path}-`);
  try {
    giveTo(account, temporary);
    if (!canReach(account, temporary)) return false;
    fs.renameSync(temporary, path);
  } catch (error) {
    if (!fs.existsSync(path)) throw error;
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
  return true;
}

/** Gives a file or folder to the account; an ordinary user's files already belong to it. */
export function giveTo(account: Account, path: string): void {
  if (isRoot) fs.lchownSync(path, account.uid, account.gid);
}

/** Creates root's folder, from which an unprivileged account reads files. Throws when users other than root can write to it. */
export function makeSharedDir(path: string): void {
  makeFolder(path);
  if (!isRootsOwn(path)) throw new Error(`${path} must be a folder that only root can write: remove or chown it.`);
  fs.chmodSync(path, 0o755);
}

/** Returns whether only root can have written the folder at `path`. */
export function isRootsOwn(path: string): boolean {
  const { uid, mode } = fs.lstatSync(path);
  return uid === 0 && (mode & fs.constants.S_IFMT) === fs.constants.S_IFDIR && (mode & 0o022) === 0;
}

function unprivileged({ uid, gid }: Account): Account {
  return { uid, gid: gid || uid };
}

/** Returns whether the account can write the folder. Tests as that account, so that parent folders and access lists count. */
function canReach(account: Account, path: string): boolean {
  if (!isRoot) return true;
  const { error, status } = spawnSync("test", ["-w", path, "-a", "-x", path], { ...account, cwd: "/" });
  if (!error) return status === 0;
  throw new Error(`Root cannot act as uid ${account.uid} here (${error.message}): start as an ordinary user.`);
}

function ownerOf(home: string): Account {
  const { uid, gid } = fs.statSync(home);
  if (uid !== ownAccount.uid && !isRoot) {
    const hint = `start as that user, or run chown -R ${ownAccount.uid} on it, or set DATA_DIR to another folder`;
    throw new Error(`${home} belongs to uid ${uid}: ${hint}.`);
  }
  if (uid === 0)
    throw new Error(`${home} belongs to root: run chown -R ${unusedAccount.uid}:${unusedAccount.gid} on it.`);
  const account = isRoot ? unprivileged({ uid, gid }) : ownAccount;
  if (canReach(account, home)) return account;
  throw new Error(`Its owner, uid ${uid}, no longer reaches ${home}: run chmod o+x on the folders above it.`);
}

/** Takes the lock and writes the id and start time of this process into it. The kernel releases the lock when the process ends. */
function lock(home: string, account: Account): () => void {
  const path = join(home, "lock");
  const fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_NOFOLLOW, 0o600);
  const isLocked = spawnSync("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", fd] }).status === 1;
  const [pid, start] = fs.readFileSync(path, "utf8").split(" ");
  if (isLocked || isAlive(Number(pid), start)) {
    fs.closeSync(fd);
    throw new Error(
      `${home} is in use by process ${pid || "unknown"}: stop that one, or set DATA_DIR to another folder.`,
    );
  }
  giveTo(account, path);
  fs.ftruncateSync(fd);
  fs.writeSync(fd, `${process.pid} ${startOf(process.pid)} `, 0);
  return () => {
    fs.ftruncateSync(fd);
    fs.closeSync(fd);
  };
}

function isAlive(pid: number, start: string | undefined): boolean {
  if (!pid) return false;
  if (fs.existsSync("/proc/self/stat")) return startOf(pid) === start;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns when a process started, in clock ticks since boot; undefined when the process has ended or is a zombie. */
function startOf(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function withHint(dataDir: string, error: NodeJS.ErrnoException): Error {
  const elsewhere = "or set DATA_DIR to another folder";
  const hints: Record<string, string> = {
    EACCES: `cannot be written by uid ${ownAccount.uid}: make it writable, ${elsewhere}`,
    EPERM: `cannot be written by uid ${ownAccount.uid}: make it writable, ${elsewhere}`,
    EROFS: `is on a read-only file system: ${elsewhere.slice(3)}`,
    ENOSPC: `is on a full disk: free some space, ${elsewhere}`,
    ENOTDIR: `is not a folder: move that file away, ${elsewhere}`,
    EEXIST: `is not a folder: move that file away, ${elsewhere}`,
  };
  const hint = hints[error.code ?? ""];
  return hint ? new Error(`The data folder ${resolve(dataDir)} ${hint} (${error.message}).`, { cause: error }) : error;
}
