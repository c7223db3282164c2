import type { KeysetPage } from "@/api/pages";

/** Nobody looks up a name among more than this many pages. */
const MOST_PAGES = 25;

/** Every page of a list that is needed whole, such as the names behind ids. */
export async function allPages<Row>(fetchPage: (cursor: string | undefined) => Promise<KeysetPage<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, next_cursor: next } = await fetchPage(cursor);
    rows.push(...items);
    if (!next) break;
    cursor = next;
  }
  return rows;
}
