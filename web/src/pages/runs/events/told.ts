// The events of a run as lines to read: pieces of text that follow each other are one.
import type { RunEvent } from "../types";

export interface Told {
  event: RunEvent;
  /** How many events it stands for. */
  count: number;
  text: string;
}

export function toldOf(events: RunEvent[]): Told[] {
  const lines: Told[] = [];
  for (const event of events) {
    const last = lines.at(-1);
    if (event.type === "text.delta" && last?.event.type === "text.delta" && last.event.data.iteration === event.data.iteration) {
      last.count += 1;
      last.text += textOf(event);
    } else {
      lines.push({ event, count: 1, text: textOf(event) });
    }
  }
  return lines;
}

/** The gist of an event: what stands in it that names or explains something. */
function textOf({ type, data }: RunEvent): string {
  const text = (name: string) => (typeof data[name] === "string" ? data[name] : undefined);
  if (type === "text.delta") return text("text") ?? "";
  const error = data.error as { message?: string } | null | undefined;
  const gist = error?.message ?? text("response") ?? text("message") ?? text("name") ?? text("model") ?? text("by") ?? text("chunk") ?? text("reason");
  return gist ?? "";
}
