// The real binary, in a directory of its own, on a port that nobody else has.
import { spawn, spawnSync, execFileSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type Database = "embedded" | "postgres";

const built = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const BINARY = process.env.TOOLGATE_BIN ?? built("target/debug/toolgate");
/** Pictures are made at one moment, whenever they are made: the server believes that it is this one. */
export const PICTURE_TIME = "2026-03-02 09:00:00";
export const takesPictures = process.env.SCREENSHOTS === "1";
/** Not every build lets itself be deceived: an allocator that stands before libfaketime ends it. Then pictures are of today. */
export const canPretend = takesPictures && spawnSync("faketime", [PICTURE_TIME, BINARY, "--version"]).status === 0;

/** Most stories sign somebody in, and none is about what a hash costs. */
const CHEAP_PASSWORDS = ["--limit", "password_memory_kib=8"];

/** Everybody in every story signs in from this machine. */
const MANY_SIGN_INS = ["--limit", "sign_in_address_attempts=100000"];

let databases = 0;

export class Server {
  url = "";
  /** Where the first account is made; printed by the first start. */
  firstLink = "";
  private child: ChildProcess | undefined;
  private readonly home = mkdtempSync(join(tmpdir(), "toolgate-e2e-"));
  private readonly databaseUrl: string | undefined;

  private constructor(
    database: Database,
    private readonly args: string[],
  ) {
    this.databaseUrl = database === "postgres" ? createDatabase() : undefined;
  }

  static async start(database: Database = "embedded", args: string[] = []): Promise<Server> {
    const server = new Server(database, args);
    await server.open("127.0.0.1:0");
    return server;
  }

  get adminKey(): string {
    return readFileSync(join(this.home, "state/admin.key"), "utf8").trim();
  }

  /** The embedded database, for a story about somebody who has the file. */
  get database(): string {
    return join(this.home, "state/toolgate.db");
  }

  /** What the server said of itself; for a story that failed. */
  get log(): string {
    return readFileSync(join(this.home, "log"), "utf8");
  }

  /** As an operator ends it. */
  async stop(): Promise<void> {
    await this.end("SIGTERM");
  }

  /** As a power cut ends it. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** The same data at the same address, after `stop` or `kill`; with more arguments, where some can only be known now. */
  async startAgain(more: string[] = []): Promise<void> {
    await this.open(new URL(this.url).host, more);
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  private async open(listen: string, more: string[] = []): Promise<void> {
    const args = ["serve", "--listen", listen, "--data-dir", "state", ...CHEAP_PASSWORDS, ...MANY_SIGN_INS, ...this.args, ...more];
    if (this.databaseUrl) args.push("--database-url", this.databaseUrl);
    const [program, words] = canPretend ? ["faketime", [PICTURE_TIME, BINARY, ...args]] : [BINARY, args];
    const child = spawn(program, words, {
      cwd: this.home,
      env: settings(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child = child;
    child.stderr.pipe(createWriteStream(join(this.home, "log"), { flags: "a" }));
    const lines = createInterface(child.stdout);
    lines.on("line", (said: string) => {
      this.firstLink = /(http:\S+\/welcome#\S+)$/.exec(said)?.[1] ?? this.firstLink;
    });
    const failed = once(child, "exit").then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}: ${this.log}`)));
    failed.catch(() => undefined);
    const [line] = (await Promise.race([once(lines, "line"), once(child, "error").then(([e]) => Promise.reject(e)), failed])) as [string];
    const listening = /^listening on (http:\S+)$/.exec(line);
    if (!listening?.[1]) throw new Error(`the server did not say where it listens, but: ${line}`);
    this.url = listening[1];
    // What it says from now on must not fill the pipe.
    lines.resume();
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}

/** Servers that stories share. */
export class Servers {
  private readonly started = new Map<string, Promise<Server>>();

  get(database: Database, args: string[]): Promise<Server> {
    const key = JSON.stringify([database, args]);
    const known = this.started.get(key) ?? Server.start(database, args);
    this.started.set(key, known);
    return known;
  }

  async remove(): Promise<void> {
    for (const server of this.started.values()) await (await server).remove();
  }
}

/** Nothing of this shell's settings reaches the server, but where the workers are that run Python, if they are not beside it. */
function settings(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("TOOLGATE_") || name.startsWith("TOOLGATE_SANDBOX_"));
  return { NO_COLOR: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1", ...Object.fromEntries(kept) };
}

function createDatabase(): string {
  const server = process.env.TOOLGATE_TEST_POSTGRES_URL;
  if (!server) throw new Error("run through scripts/with-services, as `make web-test` does");
  databases += 1;
  const name = `web_${String(process.pid)}_${String(databases)}`;
  execFileSync("psql", [server, "--quiet", "--command", `CREATE DATABASE ${name}`]);
  return server.replace(/\/[^/]*$/, `/${name}`);
}
