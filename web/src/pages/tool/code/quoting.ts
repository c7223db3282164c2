/** For a POSIX shell: nothing between single quotes means anything. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A JSON value as a Python literal, indented like code. */
export function pythonLiteral(value: unknown, indent = 0): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = " ".repeat(indent + 4);
  const outer = " ".repeat(indent);
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => `${inner}${pythonLiteral(item, indent + 4)},\n`).join("")}${outer}]`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return "{}";
  const lines = members.map(([key, member]) => `${inner}${JSON.stringify(key)}: ${pythonLiteral(member, indent + 4)},\n`);
  return `{\n${lines.join("")}${outer}}`;
}

/** Indents every line but the first, so that JSON fits into code around it. */
export function indented(text: string, spaces: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
