// What the library shows is in its URL, so that it can be kept, sent and gone back to.
import { EGRESS } from "@/api/words";
import { among, compact, text } from "@/parts/search/params";

export const ORIGINS = ["code", "tenant_custom"] as const;
/** None: what can be called, which is active and deprecated. */
export const STATES = ["active", "deprecated", "blocked", "archived"] as const;
const VIEWS = ["grid", "table"] as const;

export interface LibrarySearch {
  search?: string;
  category?: string;
  kind?: string;
  origin?: (typeof ORIGINS)[number];
  egress?: (typeof EGRESS)[number];
  state?: (typeof STATES)[number];
  view?: (typeof VIEWS)[number];
}

export type Filters = Omit<LibrarySearch, "view">;

/** Reads what somebody may have typed into the address: what is not understood is left out. */
export function parseSearch(raw: Record<string, unknown>): LibrarySearch {
  return {
    search: text(raw.search),
    category: text(raw.category),
    kind: text(raw.kind),
    origin: among(ORIGINS, raw.origin),
    egress: among(EGRESS, raw.egress),
    state: among(STATES, raw.state),
    view: among(VIEWS, raw.view),
  };
}

/** Without the view, and without what the shell keeps in the same address. */
export function filtersOf({ search, category, kind, origin, egress, state }: LibrarySearch): Filters {
  return compact({ search, category, kind, origin, egress, state });
}

/** The query of `GET /api/tools`. */
export function toQuery({ search, category, kind, origin, egress, state }: Filters) {
  return compact({ search, category, kind, origin, egress_class: egress, lifecycle: state, include_deprecated: state === undefined ? true : undefined });
}

export function countFilters({ category, kind, origin, egress, state }: Filters): number {
  return [category, kind, origin, egress, state].filter((value) => value !== undefined).length;
}
