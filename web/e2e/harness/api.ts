// REST as a program uses it, for seeding and for looking at what a page did. A refusal ends the story, unless it was asked for.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** What the server answers. Stories read single members of it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of every route, read member by member
export type Answer = any;

export class Api {
  constructor(
    private readonly url: () => string,
    readonly key: string,
  ) {}

  get(path: string): Promise<Answer> {
    return this.send("GET", path);
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.send("POST", path, body);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send("PUT", path, body);
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.send("PATCH", path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send("DELETE", path);
  }

  /** The same server with another key. */
  withKey(key: string): Api {
    return new Api(this.url, key);
  }

  /** The answer with its status, whatever it is. */
  async attempt(method: string, path: string, body?: unknown): Promise<{ status: number; body: Answer }> {
    const response = await fetch(this.url() + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : parsed(text) };
  }

  /** A key that a person makes for themselves, signed in. */
  async keyOf(person: { email: string; password: string; tenant?: string }, key: { name: string; scopes: string[] }): Promise<string> {
    const headers = { "content-type": "application/json", origin: this.url() };
    const { email, password, tenant } = person;
    const login = await fetch(`${this.url()}/api/auth/login`, { method: "POST", headers, body: JSON.stringify({ email, password, ...(tenant !== undefined && { tenant }) }) });
    const session: Answer = await login.json();
    const cookie = login.headers.getSetCookie().map((set) => set.split(";")[0]).join("; ");
    const made = await fetch(`${this.url()}/api/keys`, { method: "POST", headers: { ...headers, cookie, "x-csrf-token": session.csrf_token }, body: JSON.stringify({ ...key, user: "me" }) });
    const answer: Answer = await made.json();
    if (made.status !== 201) throw new Error(`the key cannot be made: ${JSON.stringify(answer)}`);
    return answer.key;
  }

  private async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.attempt(method, path, body);
    if (answer.status >= 400) {
      throw new Error(`${method} ${path} answered ${String(answer.status)}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
