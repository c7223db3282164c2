/** The place outside that a tool speaks to, where its definition names one. */
export function hostOf(execution: Record<string, unknown> | undefined): string | undefined {
  const place = [execution?.url, execution?.base_url].find((value) => typeof value === "string");
  if (place !== undefined) {
    try {
      return new URL(String(place)).host;
    } catch {
      return undefined;
    }
  }
  return typeof execution?.server === "string" ? execution.server : undefined;
}
