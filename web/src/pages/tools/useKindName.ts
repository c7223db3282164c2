import { hasMessage, useT } from "./messages";

/** The name of a kind in the reader's language, or the server's own word for it. */
export function useKindName(): (kind: string) => string {
  const t = useT();
  return (kind) => {
    const key = `kind.${kind}`;
    return hasMessage(key) ? t(key as "kind.http") : kind;
  };
}
