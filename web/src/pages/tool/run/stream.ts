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

export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield* events.push(value);
  }
}
