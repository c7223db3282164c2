import { usePrincipalName } from "./principal";

/** Who it was; the id for those who point at the name. */
export function Principal({ id, className }: { id: string | null | undefined; className?: string }) {
  const name = usePrincipalName(id);
  return (
    <span className={className} title={id ?? undefined}>
      {name}
    </span>
  );
}
