import type { RJSFSchema } from "@rjsf/utils";

/** The server takes inputs of two megabytes; base64 makes a file a third larger, and the rest of the form needs room too. */
const MAX_FILE_BYTES = 1_400_000;

export function limitOf(asked: unknown): number {
  return typeof asked === "number" ? Math.min(asked, MAX_FILE_BYTES) : MAX_FILE_BYTES;
}

/** Plain base64 where the schema names that encoding; otherwise a data URL, which says what it holds. */
export async function contentOf(file: Blob, schema: RJSFSchema): Promise<string> {
  const encoded = base64(new Uint8Array(await file.arrayBuffer()));
  if (schema.contentEncoding === "base64" || schema.format === "byte" || schema.format === "binary") return encoded;
  return `data:${file.type || "application/octet-stream"};base64,${encoded}`;
}

const CHUNK = 8_192;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(text);
}
