// Answers that come piece by piece, as server-sent events: of a call, of a test, of a run in a chat. (`live.ts` has the one stream that a
// tab keeps open.)
import { unreachable } from "./problem";

/** One event of a stream of server-sent events. */
export interface StreamEvent {
  name: string;
  data: unknown;
}

/** An event may be as large as an answer; more than this is no answer of our server. */
const MAX_BUFFER_CHARS = 64_000_000;

/** Takes text as it comes off the wire, and gives the events that are whole. */
export class EventReader {
  private parts: string[] = [];
  private size = 0;

  push(text: string): StreamEvent[] {
    this.parts.push(text);
    this.size += text.length;
    if (this.size > MAX_BUFFER_CHARS) throw new Error("the stream sent an event without end");
    // An event ends with an empty line; until one comes there is nothing to put together.
    const tail = (this.parts.at(-2) ?? "").slice(-3) + text;
    if (!/\r?\n\r?\n/.test(tail)) return [];
    const blocks = this.parts.join("").split(/\r?\n\r?\n/);
    const rest = blocks.pop() ?? "";
    this.parts = [rest];
    this.size = rest.length;
    return blocks.map(parse).filter((event) => event !== undefined);
  }
}

function parse(block: string): StreamEvent | undefined {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  if (data.length === 0) return undefined;
  try {
    return { name, data: JSON.parse(data.join("\n")) as unknown };
  } catch {
    return { name, data: data.join("\n") };
  }
}

/** The server says something every 15 seconds; after this long without a word the connection is taken for dead. */
const SILENCE_MS = 40_000;

/** The events as they come. Whoever stops to read them closes the connection. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read());
      if (done) return;
      yield* events.push(value);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

async function withinTime<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(unreachable()), SILENCE_MS);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
