// Keys that act anywhere on a page: single ones and pairs such as `g t`. They never act while somebody types.
import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";

import { oneOf, preference } from "./preference";

export interface Shortcut {
  /** `"?"`, `"g t"`, `"mod+k"`. */
  keys: string;
  label: string;
  group: string;
  run(): void;
  /** Also while a dialog or a drawer is open. */
  inDialogs?: boolean;
}

/** Single letters can get in the way of speech input, so they can be switched off (WCAG 2.1.4). */
export const singleKeys = preference("single-keys", oneOf("on", "off"), () => "on");

const PAIR_MS = 1_200;
let active: readonly Shortcut[] = [];
const watchers = new Set<() => void>();
let first: { key: string; at: number } | undefined;

function change(next: readonly Shortcut[]): void {
  active = next;
  watchers.forEach((watcher) => watcher());
}

export function useShortcut({ keys, label, group, run, inDialogs = false }: Shortcut, enabled = true): void {
  const latest = useEffectEvent(run);
  // With the page that they belong to, not a moment after: whoever sees it can use its keys.
  useLayoutEffect(() => {
    if (!enabled) return;
    const shortcut: Shortcut = { keys, label, group, inDialogs, run: () => latest() };
    change([...active, shortcut]);
    return () => change(active.filter((one) => one !== shortcut));
  }, [keys, label, group, inDialogs, enabled]);
}

export function useShortcutList(): readonly Shortcut[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => active,
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select") !== null);
}

/** The name of a pressed key, as shortcuts spell it. */
export function spelled(event: Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "altKey">): string | undefined {
  if (event.altKey) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.metaKey || event.ctrlKey ? `mod+${key}` : key;
}

/** Which shortcut a key completes, given the key before it. Later registrations win: the page over the shell. */
export function found(shortcuts: readonly Shortcut[], before: string | undefined, key: string): Shortcut | undefined {
  const pair = before === undefined ? undefined : shortcuts.findLast(({ keys }) => keys === `${before} ${key}`);
  return pair ?? shortcuts.findLast(({ keys }) => keys === key);
}

function onKeyDown(event: KeyboardEvent): void {
  const key = spelled(event);
  if (key === undefined || event.defaultPrevented || event.repeat) return;
  const withModifier = key.startsWith("mod+");
  if (!withModifier && (isTyping(event.target) || singleKeys.get() === "off")) return;
  const before = first && event.timeStamp - first.at < PAIR_MS ? first.key : undefined;
  first = undefined;
  const shortcut = found(active, before, key);
  const isDialogOpen = document.querySelector("[role=dialog],[role=alertdialog],[role=menu]") !== null;
  if (shortcut && (!isDialogOpen || shortcut.inDialogs === true || withModifier)) {
    event.preventDefault();
    shortcut.run();
  } else if (active.some(({ keys }) => keys.startsWith(`${key} `))) {
    first = { key, at: event.timeStamp };
  }
}

export function followKeys(): void {
  document.addEventListener("keydown", onKeyDown);
}
