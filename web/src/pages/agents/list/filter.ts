import type { Agent } from "@/api/queries";
import { fits } from "@/app/palette/items";

import type { AgentsSearch } from "../search";

/** The API lists agents by owner and with or without archived ones; the rest is chosen here. */
export function chosen(agents: readonly Agent[], { search, status, workspace }: AgentsSearch): Agent[] {
  return agents.filter(
    (agent) =>
      (status === undefined || agent.status === status) &&
      (workspace === undefined || workspace === "all" || (agent.workspace_id ?? "none") === workspace) &&
      (search === undefined || search.trim() === "" || fits([agent.handle, agent.display_name, agent.bio ?? "", agent.model ?? ""].join(" "), search.trim())),
  );
}
