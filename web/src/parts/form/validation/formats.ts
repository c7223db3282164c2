import { format as library } from "@cfworker/json-schema";

// The library judges most formats as the server does; these are the ones where the two differ. Its table is the one that its own
// validator reads, so both the verdict and the messages follow.
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
const formats = library as Record<string, ((text: string) => boolean) | undefined>;

const inLibrary = { ...formats };
/** An international address is one whose other characters could be percent-encoded. */
const encoded = (text: string) => text.replace(/[\u00a0-\u{10ffff}]/gu, encodeURIComponent);

formats["ipv4"] = (text) => IPV4.test(text);
formats["date-time"] = (text) => !text.includes(" ") && (inLibrary["date-time"]?.(text) ?? true);
formats["iri"] = (text) => inLibrary["uri"]?.(encoded(text)) ?? true;
formats["iri-reference"] = (text) => inLibrary["uri-reference"]?.(encoded(text)) ?? true;
// Not a format of the standard; the server lets it pass.
delete formats["url"];
delete formats["json-pointer-uri-fragment"];

export function knownFormat(name: string): boolean {
  return formats[name] !== undefined;
}

export function checkFormat(name: string, text: string): boolean {
  return formats[name]?.(text) ?? true;
}
