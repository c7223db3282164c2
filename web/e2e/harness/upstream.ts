// An MCP server of somebody else, over streamable HTTP. Its tools can be changed under whoever imported them, it can be taken away, and
// it can demand a login: then it is its own authorization server, which says yes at once.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface UpstreamTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  annotations?: Record<string, boolean>;
  /** The blocks that a call answers with; without them, its arguments. */
  answers?: object[];
}

interface Asked {
  id?: number | string;
  method?: string;
  params?: { name?: string; arguments?: Record<string, unknown> };
}

const TOKEN = "token-of-the-upstream";

export class Upstream {
  /** The headers of the last question. */
  heard: IncomingHttpHeaders = {};
  private readonly server: Server;
  private port = 0;

  private constructor(
    public tools: UpstreamTool[],
    private readonly wantsLogin: boolean,
  ) {
    this.server = createServer((request, response) => void this.answer(request, response).catch(() => response.writeHead(500).end()));
  }

  static async start(tools: UpstreamTool[], { login = false } = {}): Promise<Upstream> {
    const upstream = new Upstream(tools, login);
    await upstream.listen(0);
    return upstream;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** As a machine that is switched off; `back` switches it on again, at the same address. */
  async leave(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  back(): Promise<void> {
    return this.listen(this.port);
  }

  private get origin(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  private listen(port: number): Promise<void> {
    return new Promise((ready) => {
      this.server.listen(port, "127.0.0.1", () => {
        this.port = (this.server.address() as AddressInfo).port;
        ready();
      });
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    const json = (body: unknown, status = 200) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource")) return void json({ resource: this.url, authorization_servers: [this.origin] });
    if (url.pathname.startsWith("/.well-known/oauth-authorization-server")) return void json(this.issuer());
    if (url.pathname === "/register") return void json({ ...JSON.parse(await bodyOf(request)), client_id: "toolgate-in-a-story" }, 201);
    if (url.pathname === "/authorize") return void response.writeHead(302, { location: this.agreed(url.searchParams) }).end();
    if (url.pathname === "/token") return void json({ access_token: TOKEN, token_type: "Bearer", expires_in: 3600, refresh_token: "renewed" });
    if (url.pathname !== "/mcp" || request.method !== "POST") return void response.writeHead(405).end();
    if (this.wantsLogin && request.headers.authorization !== `Bearer ${TOKEN}`) {
      return void response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"` }).end();
    }
    this.heard = request.headers;
    const asked = JSON.parse(await bodyOf(request)) as Asked;
    if (asked.id === undefined) return void response.writeHead(202).end();
    json({ jsonrpc: "2.0", id: asked.id, ...this.reply(asked) });
  }

  private issuer() {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
    };
  }

  private agreed(asked: URLSearchParams): string {
    const back = new URL(asked.get("redirect_uri") ?? this.origin);
    back.searchParams.set("code", "the-code");
    back.searchParams.set("state", asked.get("state") ?? "");
    return back.href;
  }

  private reply({ method, params }: Asked): object {
    switch (method) {
      case "initialize":
        return { result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "tracker", version: "3.1" } } };
      case "tools/list":
        return { result: { tools: this.tools.map(({ answers: _answers, ...tool }) => tool) } };
      case "tools/call":
        return { result: { content: this.tools.find(({ name }) => name === params?.name)?.answers ?? [{ type: "text", text: JSON.stringify(params?.arguments ?? {}) }] } };
      case "ping":
        return { result: {} };
      default:
        return { error: { code: -32601, message: "no such method" } };
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
