import type { McpTool } from "../queries";

export const waits = ({ pending, state }: Pick<McpTool, "pending" | "state">): boolean => Boolean(pending) && (state === "new" || state === "quarantined");

/** New, and nothing about it needs a second look. */
export const plainNew = ({ state, changes, pending }: Pick<McpTool, "state" | "changes" | "pending">): boolean => state === "new" && changes.length === 0 && !pending?.rejected_by;

/** What worked until it changed comes first, then what is dangerous; what was rejected has been looked at. */
export function byUrgency(a: McpTool, b: McpTool): number {
  const rank = (tool: McpTool) => [tool.pending?.rejected_by ? 1 : 0, tool.state === "quarantined" ? 0 : 1, tool.changes.some(({ severity }) => severity === "danger") ? 0 : 1];
  const [left, right] = [rank(a), rank(b)];
  for (const [index, value] of left.entries()) {
    const difference = value - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.name.localeCompare(b.name);
}
