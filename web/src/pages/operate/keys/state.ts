import type { Schemas } from "@/api/client";
import { endOfDay } from "@/parts/dates/range";

export type ApiKey = Schemas["KeyResponse"];

export type KeyState = "active" | "expired" | "revoked";

export function stateOf({ revoked_at: revoked, expires_at: expires }: Pick<ApiKey, "revoked_at" | "expires_at">, nowMs: number): KeyState {
  if (revoked) return "revoked";
  return expires && Date.parse(expires) <= nowMs ? "expired" : "active";
}

export type Lasting = "never" | "30" | "90" | "365" | "date";

const DAY_MS = 86_400_000;

/** The moment of expiry as the API takes it; none for a key that stays. A day ends in the reader's own time. */
export function expiryOf(lasting: Lasting, day: string, nowMs: number): string | undefined {
  if (lasting === "never") return undefined;
  if (lasting === "date") return day === "" ? undefined : endOfDay(day);
  return new Date(nowMs + Number(lasting) * DAY_MS).toISOString();
}
