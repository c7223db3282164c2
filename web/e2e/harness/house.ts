// The surroundings of one story: a tenant or a whole server, its people, and ways to put something into it.
import type { Database } from "./server";

import { Api, type Answer } from "./api";
import { Server } from "./server";

export const PASSWORD = "correct horse battery staple";

export type Role = "admin" | "operator" | "builder" | "approver" | "member" | "viewer";

export interface Person {
  id: string;
  email: string;
  name: string;
  password: string;
  /** The tenant's slug, where it is not the installation's own. */
  tenant?: string;
}

const NAMES: Record<Role, string> = {
  admin: "Ada Admin",
  operator: "Olga Operator",
  builder: "Boris Builder",
  approver: "Pia Approver",
  member: "Max Member",
  viewer: "Vera Viewer",
};

let tenants = 0;

export class House {
  private readonly people = new Map<Role, Promise<Person>>();

  private constructor(
    readonly server: Server,
    /** REST with the admin's key. */
    readonly api: Api,
    /** The tenant's slug, on a server that is shared. */
    private readonly tenant?: string,
  ) {}

  /** A server of its own. */
  static async open(database: Database, args: string[] = []): Promise<House> {
    const server = await Server.start(database, args);
    return new House(server, new Api(() => server.url, server.adminKey));
  }

  /** A tenant of its own on a server that others use. */
  static async move(server: Server): Promise<House> {
    tenants += 1;
    const slug = `story-${String(tenants)}`;
    const installation = new Api(() => server.url, server.adminKey);
    const made = await installation.post("/api/tenants", { slug, name: "Toolgate" });
    return new House(server, installation.withKey(made.admin_key), slug);
  }

  get url(): string {
    return this.server.url;
  }

  /** The person with this role; made when first asked for. */
  person(role: Role): Promise<Person> {
    const known = this.people.get(role) ?? this.addPerson({ email: `${role}@example.org`, name: NAMES[role], roles: [role] });
    this.people.set(role, known);
    return known;
  }

  /** REST with a key that the person with this role made for themselves. */
  async as(role: Role, scopes: string[]): Promise<Api> {
    const person = await this.person(role);
    return this.api.withKey(await this.api.keyOf(person, { name: `${person.name}'s phone`, scopes }));
  }

  async addPerson(user: { email: string; name: string; roles: string[]; workspaces?: string[] }, api = this.api): Promise<Person> {
    const made = await api.post("/api/users", { ...user, password: PASSWORD });
    const person = { id: made.id, email: user.email, name: user.name, password: PASSWORD };
    return this.tenant === undefined || api !== this.api ? person : { ...person, tenant: this.tenant };
  }

  /** Another tenant, and REST with the key of its admin. */
  async addTenant(slug: string, name: string): Promise<{ slug: string; api: Api }> {
    const made = await this.api.post("/api/tenants", { slug, name });
    return { slug, api: this.api.withKey(made.admin_key) };
  }

  /** A tool that stands on a built-in (`wait`, `render_template`, `calculate` …), or on what `more.execution` says. */
  addTool(name: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.api.post("/api/tools", {
      name,
      version: "1.0.0",
      description: `${name}, made for a story`,
      input_schema: { type: "object" },
      execution: { kind: "builtin", handler: "wait" },
      ...more,
    });
  }

  /** An agent, and REST with a key that speaks for it. */
  async addAgent(handle: string, more: Record<string, unknown> = {}): Promise<{ id: string; api: Api }> {
    const agent = await this.api.post("/api/agents", { handle, display_name: handle, ...more });
    const key = await this.api.post("/api/keys", { name: handle, scopes: ["tools:read", "tools:execute"], agent: handle });
    return { id: agent.id, api: this.api.withKey(key.key) };
  }

  /** Calls a tool; the answer is its envelope, or says that the call waits. */
  call(tool: string, input: unknown = {}, api = this.api): Promise<Answer> {
    return api.post(`/api/tools/${tool}/invoke`, input);
  }

  /** A call that waits for a person: of a tool that writes, which is made when it is not there. The answer is its invocation. */
  async addApproval(tool = "send_letter", input: unknown = { to: "someone@example.org", text: "Hello" }, api = this.api): Promise<Answer> {
    const known = await this.api.attempt("GET", `/api/tools/${tool}`);
    if (known.status === 404) {
      await this.addTool(tool, {
        egress_class: "write",
        description: "Sends a letter to somebody outside",
        input_schema: {
          type: "object",
          properties: { to: { type: "string" }, text: { type: "string" } },
          required: ["to", "text"],
        },
        execution: { kind: "builtin", handler: "render_template" },
      });
    }
    const asked = await this.call(tool, input, api);
    return this.api.get(`/api/invocations/${asked.invocation_id ?? asked.id}`);
  }

  async close(): Promise<void> {
    if (this.tenant === undefined) await this.server.remove();
  }
}
