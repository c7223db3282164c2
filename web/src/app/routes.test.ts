import { expect, test } from "vitest";

import { routeTree } from "./routes";

interface Route {
  options: { validateSearch?: (raw: Record<string, unknown>) => object };
  children?: Route[];
  id?: string;
  path?: string;
}

const allOf = (route: Route): Route[] => [route, ...(route.children ?? []).flatMap(allOf)];
const readers = allOf(routeTree as unknown as Route).flatMap(({ options, path, id }) => (options.validateSearch ? [{ name: path ?? id ?? "", read: options.validateSearch }] : []));

test("there are pages that read their address", () => {
  expect(readers.length).toBeGreaterThan(20);
});

// The router lays the answer over the address: what is left out of it would reach the page as it was typed.
test.each(readers)("$name takes nothing that it does not understand", ({ read }) => {
  const asked = new Set<string>();
  const odd = new Proxy<Record<string, unknown>>({}, {
    get: (_, key) => {
      asked.add(String(key));
      return { odd: true };
    },
  });
  const understood = read(odd) as Record<string, unknown>;
  expect(asked.size).toBeGreaterThan(0);
  expect(Object.keys(understood).sort()).toEqual([...asked].sort());
  expect(Object.values(understood).every((value) => value === undefined)).toBe(true);
});
