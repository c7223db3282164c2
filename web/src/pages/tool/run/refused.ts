import { complaintsIn, type Complaint } from "@/parts/form";

import type { Run } from "./state";

const NONE: Complaint[] = [];
const known = new WeakMap<object, Complaint[]>();

/** What the server said against the fields: the same list for the same answer. */
export function refusedIn(run: Run): Complaint[] {
  const error = run.state === "refused" ? run.problem.body : run.state === "done" ? run.result.error : undefined;
  if (error === undefined || ("code" in error && error.code !== "VALIDATION_ERROR")) return NONE;
  const found = known.get(error) ?? complaintsIn(error);
  known.set(error, found);
  return found;
}
