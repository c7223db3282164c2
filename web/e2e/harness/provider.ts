// A real OpenID Connect provider, the one that the server's own tests use. `make test-provider` installs it.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const HOME = fileURLToPath(new URL("../../../crates/server/tests/oidc-provider", import.meta.url));

export class IdentityProvider {
  private constructor(
    readonly issuer: string,
    private readonly child: ChildProcess,
  ) {}

  /** It signs in whoever asks, as `<login>@people.example`, and sends them back to the server at `url`. */
  static async start(url: string): Promise<IdentityProvider> {
    if (!existsSync(`${HOME}/node_modules`)) throw new Error("the provider is not installed: run `make test-provider`");
    const child = spawn("node", ["provider.mjs", `redirect-uri=${url}/api/auth/oidc/callback`], { cwd: HOME, stdio: ["pipe", "pipe", "ignore"] });
    const lines = createInterface(child.stdout);
    const [issuer] = (await once(lines, "line")) as [string];
    lines.resume();
    return new IdentityProvider(issuer, child);
  }

  /** What a server is started with to trust it. */
  get serverArgs(): string[] {
    return ["--oidc-issuer", this.issuer, "--oidc-client-id", "public"];
  }

  async stop(): Promise<void> {
    const gone = once(this.child, "exit");
    // It ends with its standard input.
    this.child.stdin?.end();
    await gone;
  }
}
