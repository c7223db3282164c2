// What was typed and not sent. It survives a reload, per thread; nothing of it leaves this browser.
import { useState } from "react";

const PREFIX = "toolgate.chat.draft.";
/** The longest message that the server takes. */
export const MAX_MESSAGE_CHARS = 100_000;

export function readDraft(place: string): string {
  try {
    return localStorage.getItem(PREFIX + place) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(place: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(PREFIX + place);
    else localStorage.setItem(PREFIX + place, text.slice(0, MAX_MESSAGE_CHARS));
  } catch {
    // Storage may be full or forbidden; the draft then lasts as long as the page.
  }
}

export interface Draft {
  text: string;
  change: (text: string) => void;
  /** Another text in the composer, while the one before is on its way and not yet known to have arrived. */
  show: (text: string) => void;
}

/** `place`: the thread, or `new`. */
export function useDraft(place: string): Draft {
  const [draft, setDraft] = useState(() => ({ place, text: readDraft(place) }));
  const current = draft.place === place ? draft : { place, text: readDraft(place) };
  if (current !== draft) setDraft(current);
  const show = (text: string) => setDraft({ place, text });
  const change = (text: string) => {
    show(text);
    keepDraft(place, text);
  };
  return { text: current.text, change, show };
}

/** What was sent has arrived: unless something else was typed since, nothing is left of it. */
export function dropDraft(place: string, sent: string): void {
  if (readDraft(place) === sent) keepDraft(place, "");
}

/** What was sent has not arrived: it comes back, before what was typed since. */
export function restoreDraft(place: string, sent: string): string {
  const typed = readDraft(place);
  const text = typed === sent || typed === "" ? sent : `${sent}\n${typed}`;
  keepDraft(place, text);
  return text;
}
