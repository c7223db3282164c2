import { afterEach, expect, test, vi } from "vitest";

import { api, data, request, setCsrfToken } from "./client";
import { Problem, UNREACHABLE } from "./problem";

afterEach(() => {
  vi.unstubAllGlobals();
  setCsrfToken(undefined);
});

function answering(response: () => Response | Promise<Response>) {
  const seen: Request[] = [];
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : new URL(String(input), window.location.origin).href;
    seen.push(input instanceof Request ? input : new Request(url, init));
    return Promise.resolve(response());
  });
  return seen;
}

test("a change carries the second token, reading does not", async () => {
  setCsrfToken("second");
  const seen = answering(() => Response.json({ items: [] }));
  await api.GET("/api/tools");
  await api.POST("/api/auth/logout");
  await request("/api/tools/calculate/invoke/stream", { method: "POST" });
  expect(seen.map((one) => one.headers.get("x-csrf-token"))).toEqual([null, "second", "second"]);
});

test("a refusal is thrown as a problem with the server's own words", async () => {
  const body = { code: "FORBIDDEN", title: "The caller may not do this", detail: "this needs admin", extra: 7 };
  answering(() => Response.json(body, { status: 403 }));
  const problem = await data(api.GET("/api/tenants")).catch((thrown: unknown) => thrown);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ code: "FORBIDDEN", status: 403, detail: "this needs admin", isForbidden: true });
  expect((problem as Problem).body.extra).toBe(7);
});

test("an answer that is not a problem document still says its status", async () => {
  answering(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
  await expect(data(api.GET("/api/tools"))).rejects.toMatchObject({ code: "HTTP_502", title: "Bad Gateway", isPassing: true });
});

test("no answer at all is a problem of its own", async () => {
  answering(() => Promise.reject(new TypeError("failed to fetch")));
  await expect(data(api.GET("/api/tools"))).rejects.toMatchObject({ code: UNREACHABLE, isPassing: true });
  await expect(request("/api/blobs/x")).rejects.toMatchObject({ code: UNREACHABLE });
});
