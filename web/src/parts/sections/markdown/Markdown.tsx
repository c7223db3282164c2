import { Fragment, type ReactNode } from "react";

import { blocksOf, type Block } from "./blocks";

/** The longest text that is read as Markdown; a longer one is shown as it is. */
const MAX_CHARS = 100_000;

/** Markdown as React elements: no HTML is ever parsed, so none that a tool wrote can run. Images are links: nothing is fetched. */
export function Markdown({ text }: { text: string }) {
  if (text.length > MAX_CHARS) return <pre className="max-h-96 overflow-auto whitespace-pre-wrap break-words text-sm">{text}</pre>;
  return (
    <div className="flex min-w-0 flex-col gap-3 break-words">
      {blocksOf(text).map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      // The page has its own headings; those of a text come below them.
      return (
        <p role="heading" aria-level={Math.min(6, block.level + 3)} className={block.level <= 2 ? "text-base font-semibold" : "text-sm font-semibold"}>
          {inline(block.text)}
        </p>
      );
    case "paragraph":
      return <p className="whitespace-pre-line">{inline(block.text)}</p>;
    case "quote":
      return <blockquote className="whitespace-pre-line border-l-2 border-border pl-3 text-muted-foreground">{inline(block.text)}</blockquote>;
    case "code":
      return <pre className="overflow-x-auto rounded-md bg-muted p-3 font-mono text-sm">{block.text}</pre>;
    case "rule":
      return <hr />;
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List className={`flex flex-col gap-1 pl-5 ${block.isOrdered ? "list-decimal" : "list-disc"}`}>
          {block.items.map((item, index) => (
            <li key={index}>{inline(item)}</li>
          ))}
        </List>
      );
    }
    case "table":
      return (
        <div className="overflow-x-auto">
          <table className="text-sm">
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col" className="border-b border-border px-2 py-1 text-left font-medium">
                    {inline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, place) => (
                    <td key={place} className="border-b border-border px-2 py-1">
                      {inline(cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

const INLINE = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(__[^_\n]+__)|(\*[^*\s][^*\n]*\*)|(\b_[^_\s][^_\n]*_\b)|!?\[([^\]\n]*)\]\(([^()\s]+)(?:\s+"[^"]*")?\)|(https?:\/\/[^\s<>()]+[^\s<>().,;:!?])/g;

export function inline(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(last, match.index));
    parts.push(<Fragment key={match.index}>{styled(match)}</Fragment>);
    last = match.index + match[0].length;
  }
  parts.push(text.slice(last));
  return parts;
}

function styled(match: RegExpMatchArray): ReactNode {
  const [whole, code, strong, strongToo, soft, softToo, label, target, bare] = match;
  if (code) return <code className="rounded bg-muted px-1 font-mono text-[0.92em]">{code.slice(1, -1)}</code>;
  if (strong ?? strongToo) return <strong>{whole.slice(2, -2)}</strong>;
  if (soft ?? softToo) return <em>{whole.slice(1, -1)}</em>;
  const address = safeAddress(target ?? bare ?? "");
  if (!address) return whole;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" className="text-link underline underline-offset-2">
      {label === undefined || label === "" ? address : label}
    </a>
  );
}

/** Only addresses that a browser opens as a page or a letter; never a script. */
export function safeAddress(target: string): string | undefined {
  if (/^\/(?!\/)/.test(target)) return target;
  return /^(https?:\/\/|mailto:)/i.test(target) ? target : undefined;
}
