/** What the key that commands are given with is called here. */
export function modKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl ";
}
