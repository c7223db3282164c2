import { asProblem } from "@/api/problem";

import type { Draft } from "./draft";

/** The server names the field in its sentence; the first that it names is the one to look at. */
const NAMED: [RegExp, keyof Draft][] = [
  [/\bhandle\b/, "handle"],
  [/display_name/, "display_name"],
  [/max_budget/, "max_budget"],
  [/temperature/, "temperature"],
  [/max_output_tokens/, "max_output_tokens"],
  [/workspace/, "workspace_id"],
  [/\buser\b/, "owner"],
  [/metadata/, "metadata"],
];

/** Which field a refusal is about; none when it is about all of it. */
export function fieldOf(thrown: unknown): keyof Draft | undefined {
  const problem = asProblem(thrown);
  if (![400, 409, 422].includes(problem.status)) return undefined;
  return NAMED.find(([pattern]) => pattern.test(problem.detail))?.[1];
}
