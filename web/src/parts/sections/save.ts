/** Gives the browser a file to keep. */
export function save(content: Blob | string, name: string, type = "text/plain;charset=utf-8"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the blob by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}

export function fileName(...parts: string[]): string {
  return parts.map((part) => part.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-+|-+$/g, "")).filter(Boolean).join("-");
}
