// Tools of other MCP servers that declare no output answer with blocks: texts, pictures, sounds, resources.
import { isObject } from "../json/values";

export interface Block extends Record<string, unknown> {
  type: string;
}

const TYPES = ["text", "image", "audio", "resource", "resource_link"];

/** Nothing where the answer is something else that happens to have a `content`. */
export function blocksOf(output: unknown): Block[] | undefined {
  if (!isObject(output) || Object.keys(output).length !== 1 || !Array.isArray(output.content)) return undefined;
  const blocks: unknown[] = output.content;
  const areBlocks = blocks.length > 0 && blocks.every((block) => isObject(block) && typeof block.type === "string" && TYPES.includes(block.type));
  return areBlocks ? (blocks as Block[]) : undefined;
}

const IMAGE = /^image\/[a-z0-9.+-]+$/i;

/** A small picture that came with the answer; a larger one is an attachment. Shown as a picture it can run nothing, whatever it says it is. */
export function pictureIn({ type, data, mimeType }: Block): string | undefined {
  if (type !== "image" || typeof data !== "string" || typeof mimeType !== "string" || !IMAGE.test(mimeType)) return undefined;
  return `data:${mimeType};base64,${data}`;
}

/** Many servers write JSON into their texts: that is read as what it is. */
export function readText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The words of a block, where it has some: a text, or the text of a resource. */
export function textIn({ type, text, resource }: Block): string | undefined {
  if (type === "text" && typeof text === "string") return text;
  return type === "resource" && isObject(resource) && typeof resource.text === "string" ? resource.text : undefined;
}

/** Whether its bytes were moved into a file, which stands among the attachments. */
export function isAttached({ attachment, resource }: Block): boolean {
  return typeof attachment === "number" || (isObject(resource) && typeof resource.attachment === "number");
}

const MAX_DEPTH = 4;

/** Whether an answer speaks of files that came with it: those are with the call, and not in the answer itself. */
export function namesFiles(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return false;
  if (!Array.isArray(value) && typeof (value as Record<string, unknown>).attachment === "number") return true;
  return Object.values(value).some((member) => namesFiles(member, depth + 1));
}
