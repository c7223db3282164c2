/** A moment as the server takes it (RFC 3339), for a control that knows only the local time. */
export function toLocal(moment: unknown): string {
  if (typeof moment !== "string") return "";
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, date.getSeconds() === 0 ? 16 : 19);
}

export function fromLocal(local: string): string | undefined {
  const date = new Date(local);
  return local === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(".000Z", "Z");
}

/** A time of day has a zone on the wire; the control speaks of UTC. */
export function toClock(time: unknown): string {
  return typeof time === "string" ? (/^\d\d:\d\d(:\d\d)?/.exec(time)?.[0] ?? "") : "";
}

export function fromClock(clock: string): string | undefined {
  if (clock === "") return undefined;
  return `${clock.length === 5 ? `${clock}:00` : clock}Z`;
}
