/** Where a key leads from a row; nothing for keys that do not move. */
export function moved(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
    case "j":
      return Math.min(last, from + 1);
    case "ArrowUp":
    case "k":
      return Math.max(0, from - 1);
    case "PageDown":
      return Math.min(last, from + 10);
    case "PageUp":
      return Math.max(0, from - 10);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
