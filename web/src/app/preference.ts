// A choice that this browser keeps: theme, language, the view of a list. One value, known everywhere at once.
import { useSyncExternalStore } from "react";

export interface Preference<T extends string> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function preference<T extends string>(name: string, isOne: (value: string) => value is T, fallback: () => T): Preference<T> {
  const key = `toolgate.${name}`;
  const listeners = new Set<() => void>();
  const read = (): T => {
    const kept = stored(key);
    return kept !== null && isOne(kept) ? kept : fallback();
  };
  let value = read();
  const tell = () => listeners.forEach((listener) => listener());
  if (typeof window !== "undefined") {
    window.addEventListener("storage", (event) => {
      if (event.key !== key) return;
      value = read();
      tell();
    });
  }
  return {
    get: () => value,
    set(next) {
      value = next;
      try {
        localStorage.setItem(key, next);
      } catch {
        // Storage may be full or forbidden; the choice then lasts as long as the page.
      }
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function usePreference<T extends string>(choice: Preference<T>): T {
  return useSyncExternalStore(choice.subscribe, choice.get);
}

export function oneOf<const T extends string>(...values: T[]) {
  return (value: string): value is T => (values as string[]).includes(value);
}
