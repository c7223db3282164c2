import { hasMessage, useT } from "../messages";

/** What a permission allows, in words where it is the product's own; a tool's own permission has only its name. */
export function PermissionName({ name }: { name: string }) {
  const t = useT();
  const key = `permission.${name}`;
  return (
    <span className="block min-w-0">
      {hasMessage(key) && <span className="block">{t(key as "permission.tools.tenant.read")}</span>}
      <code className="block font-mono text-xs break-all text-muted-foreground">{name}</code>
    </span>
  );
}

/** The name of what permissions are about. */
export function useThing(): (thing: string) => string {
  const t = useT();
  return (thing) => {
    const key = `thing.${thing}`;
    return hasMessage(key) ? t(key as "thing.tools") : thing;
  };
}
