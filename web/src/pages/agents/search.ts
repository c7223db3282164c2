// What the pages of agents show is in their URLs, so that it can be kept, sent and gone back to.
import { EGRESS } from "@/api/words";
import { among, text } from "@/parts/search/params";

export const STATUSES = ["active", "paused", "archived"] as const;
export const TABS = ["overview", "tools", "settings"] as const;
/** In this order, the first one is shown first. */
export const SECTIONS = ["registry", "assignments", "profiles", "invocations", "approvals"] as const;
export const CALL_STATUSES = ["pending", "approved", "rejected", "running", "completed", "failed", "cancelled"] as const;
export const SINCE = ["hour", "day", "week"] as const;

export type Tab = (typeof TABS)[number];
export type Section = (typeof SECTIONS)[number];

export interface AgentsSearch {
  search?: string;
  status?: (typeof STATUSES)[number];
  /** A workspace's id, `all` or `none`; without it, the workspace that the shell has chosen. */
  workspace?: string;
  owner?: "mine";
}

export interface AgentSearch {
  /** None: the overview. */
  tab?: Tab;
  /** Of the tools; none: the registry. */
  section?: Section;
  /** Words of a tool. */
  search?: string;
  egress?: (typeof EGRESS)[number];
  given?: "yes" | "no";
  /** The tool whose decision is explained. */
  explain?: string;
  /** Of invocations. */
  status?: (typeof CALL_STATUSES)[number];
  tool?: string;
  since?: (typeof SINCE)[number];
}

export function parseAgents(raw: Record<string, unknown>): AgentsSearch {
  return {
    search: text(raw.search),
    status: among(STATUSES, raw.status),
    workspace: text(raw.workspace),
    owner: among(["mine"], raw.owner),
  };
}

export function parseAgent(raw: Record<string, unknown>): AgentSearch {
  return {
    tab: among(TABS, raw.tab),
    section: among(SECTIONS, raw.section),
    search: text(raw.search),
    egress: among(EGRESS, raw.egress),
    given: among(["yes", "no"], raw.given),
    explain: text(raw.explain),
    status: among(CALL_STATUSES, raw.status),
    tool: text(raw.tool),
    since: among(SINCE, raw.since),
  };
}
