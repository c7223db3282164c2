// Names of those whom records speak of. A list of a hundred rows asks once, not a hundred times.
import { queryOptions } from "@tanstack/react-query";

import { request } from "@/api/client";

interface Named {
  items: { id: string; name: string }[];
}

/** As many as the API answers at a time. */
const MOST = 100;
/** Everything that is drawn in one go asks together. */
const GATHER_MS = 10;

type Asker = { resolve(name: string | null): void; reject(error: unknown): void };
let waiting = new Map<string, Asker[]>();

/** The name, or nothing for somebody who is gone. */
export const nameQuery = (id: string) =>
  queryOptions({
    queryKey: ["principals", "name", id],
    queryFn: () => new Promise<string | null>((resolve, reject) => ask(id, { resolve, reject })),
    staleTime: 300_000,
  });

function ask(id: string, asker: Asker): void {
  if (waiting.size === 0) setTimeout(() => void send(), GATHER_MS);
  waiting.set(id, [...(waiting.get(id) ?? []), asker]);
}

async function send(): Promise<void> {
  const all = [...waiting];
  waiting = new Map();
  for (let from = 0; from < all.length; from += MOST) {
    const some = all.slice(from, from + MOST);
    try {
      const answer = (await (await request(`/api/principals?${new URLSearchParams({ ids: some.map(([id]) => id).join(",") }).toString()}`)).json()) as Named;
      const names = new Map(answer.items.map(({ id, name }) => [id, name]));
      for (const [id, askers] of some) askers.forEach(({ resolve }) => resolve(names.get(id) ?? null));
    } catch (error) {
      for (const [, askers] of some) askers.forEach(({ reject }) => reject(error));
    }
  }
}
