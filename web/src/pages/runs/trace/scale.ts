// The part of a trace's time that is in sight, and where things stand in it.

export interface Window {
  fromMs: number;
  toMs: number;
}

/** A bar that one can see and point at, however short. */
const LEAST_PERCENT = 0.4;
const LEAST_WINDOW = 1 / 10_000;

export interface Place {
  leftPercent: number;
  widthPercent: number;
}

/** Nothing for what is out of sight. */
export function placeOf(fromMs: number, toMs: number, { fromMs: from, toMs: to }: Window): Place | undefined {
  const length = to - from;
  if (toMs < from || fromMs > to || length <= 0) return undefined;
  const left = ((Math.max(fromMs, from) - from) / length) * 100;
  const right = ((Math.min(toMs, to) - from) / length) * 100;
  const width = Math.max(LEAST_PERCENT, right - left);
  return { leftPercent: Math.min(left, 100 - width), widthPercent: width };
}

/** Round moments, about as many as asked for. */
export function ticksOf({ fromMs, toMs }: Window, about: number): number[] {
  const length = toMs - fromMs;
  if (length <= 0) return [];
  const rough = length / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let tick = Math.ceil(fromMs / step) * step; tick <= toMs; tick += step) ticks.push(tick);
  return ticks;
}

/** Nearer (below 1) or farther, around the middle or a given moment; never beyond the trace itself. */
export function zoomed({ fromMs, toMs }: Window, factor: number, lengthMs: number, around = (fromMs + toMs) / 2): Window {
  const length = Math.min(lengthMs, Math.max(lengthMs * LEAST_WINDOW, (toMs - fromMs) * factor));
  const share = toMs === fromMs ? 0.5 : (around - fromMs) / (toMs - fromMs);
  return within({ fromMs: around - share * length, toMs: around + (1 - share) * length }, lengthMs);
}

export function moved({ fromMs, toMs }: Window, share: number, lengthMs: number): Window {
  const by = (toMs - fromMs) * share;
  return within({ fromMs: fromMs + by, toMs: toMs + by }, lengthMs);
}

/** A span with a little air around it. */
export function around(fromMs: number, toMs: number, lengthMs: number): Window {
  const least = lengthMs * LEAST_WINDOW;
  const air = Math.max((toMs - fromMs) * 0.1, least / 2);
  return { fromMs: Math.max(0, fromMs - air), toMs: Math.min(lengthMs, toMs + air) };
}

function within({ fromMs, toMs }: Window, lengthMs: number): Window {
  const length = Math.min(lengthMs, toMs - fromMs);
  const from = Math.min(Math.max(0, fromMs), lengthMs - length);
  return { fromMs: from, toMs: from + length };
}
