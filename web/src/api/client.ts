// The one way to the REST API. It sends the cookie, proves with the second token that one of our own pages asks
// (the server demands `x-csrf-token` of everything that changes), and turns refusals into `Problem`.
import createClient, { type Middleware } from "openapi-fetch";

import { Problem, problemOf, unreachable } from "./problem";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

let csrfToken: string | undefined;

/** `/api/auth/me` and a sign-in tell it; it lives in memory only. */
export function setCsrfToken(token: string | null | undefined): void {
  csrfToken = token ?? undefined;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

function csrfHeaders(method: string): Record<string, string> {
  return SAFE.has(method) || !csrfToken ? {} : { "x-csrf-token": csrfToken };
}

/** Nobody waits for the answer any more: that is no failure of anything. */
const isAborted = (error: unknown) => error instanceof DOMException && error.name === "AbortError";

const guard: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(csrfHeaders(request.method))) request.headers.set(name, value);
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
    return response;
  },
  onError({ error }) {
    if (isAborted(error)) return error as Error;
    return error instanceof Problem ? error : unreachable();
  },
};

export const api = createClient<paths>({
  baseUrl: typeof window === "undefined" ? undefined : window.location.origin,
  // Looked up at each call, so that a test can stand in for the network.
  fetch: (request) => globalThis.fetch(request),
});
api.use(guard);

/** The body of an answer: `const tools = await data(api.GET("/api/tools"))`. Refusals have been thrown by then. */
export async function data<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data: body } = await answer;
  return body as T;
}

/** A request of any shape, for streams and files: the same tokens and the same problems. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(csrfHeaders(init.method ?? "GET"))) headers.set(name, value);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (error) {
    throw isAborted(error) ? error : unreachable();
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}
