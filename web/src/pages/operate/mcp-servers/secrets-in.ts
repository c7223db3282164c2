import type { McpServer } from "./queries";

/** The secrets that a server's document names. What holds its login is not among them: nobody sets that by hand. */
export function secretsIn({ transport, oauth }: Pick<McpServer, "transport" | "oauth">): string[] {
  const texts = Object.values((transport.kind === "http" ? transport.headers : transport.env) ?? {});
  const named = texts.flatMap((text) => [...text.matchAll(/\{\$secret\.([A-Za-z0-9_.-]+)\}/g)].map(([, name]) => name ?? ""));
  return [...new Set([...named, ...(oauth?.client_secret ? [oauth.client_secret] : [])])];
}

/** Where the login to a server is kept. */
export const loginSecret = (server: string): string => `MCP_${server.toUpperCase()}_OAUTH`;

/** The server whose login a secret keeps; none for a secret that somebody sets. */
export function serverOfLogin(secret: string): string | undefined {
  return /^MCP_(.+)_OAUTH$/.exec(secret)?.[1]?.toLowerCase();
}
