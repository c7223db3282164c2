// The team whose things one works on. The server has no such state: pages use the choice as a filter and as a default.
import type { Workspace } from "@/api/queries";

import { preference, usePreference } from "./preference";
import { useMe } from "./session";

const ALL = "";
const chosen = preference<string>("workspace", (value): value is string => value.length < 100, () => ALL);

export interface WorkspaceChoice {
  all: Workspace[];
  /** None: every team's. */
  current: Workspace | undefined;
  choose(id: string | undefined): void;
}

export function useWorkspace(): WorkspaceChoice {
  const { workspaces: all } = useMe();
  const id = usePreference(chosen);
  return { all, current: all.find((workspace) => workspace.id === id), choose: (next) => chosen.set(next ?? ALL) };
}
