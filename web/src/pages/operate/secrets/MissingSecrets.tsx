import { KeyRound } from "lucide-react";

import { PathLink } from "@/app/PathLink";
import { Button, buttonVariants } from "@/ui/button";

import { serverOfLogin } from "../mcp-servers/secrets-in";
import { useT } from "./messages";
import type { Missing } from "./needs";
import { ToolNames } from "./ToolNames";

/** What stops calls right now, with the way to set it. */
export function MissingSecrets({ missing, onSet }: { missing: Missing[]; onSet(name: string): void }) {
  const t = useT();
  if (missing.length === 0) return null;
  return (
    <section aria-labelledby="missing-title" className="grid gap-2 rounded-lg border bg-warn-soft px-4 py-3 text-sm">
      <h2 id="missing-title" className="flex items-center gap-2 font-medium text-warn">
        <KeyRound aria-hidden className="size-4" />
        {t("missing.title", { count: missing.length })}
      </h2>
      <p>{t("missing.text")}</p>
      <ul className="grid gap-2">
        {missing.map(({ name, tools }) => {
          const server = serverOfLogin(name);
          return (
            <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <code className="font-mono font-medium break-all">{name}</code>
              <span className="min-w-0 flex-1 basis-48 text-muted-foreground">
                {server !== undefined && `${t("missing.loginText", { server })}. `}
                {t("missing.neededBy")} <ToolNames names={tools} />
              </span>
              {server === undefined ? (
                <Button variant="outline" size="sm" aria-label={t("missing.set", { name })} onClick={() => onSet(name)}>
                  {t("missing.setShort")}
                </Button>
              ) : (
                <PathLink path={`/operate/mcp-servers/${server}`} className={buttonVariants({ variant: "outline", size: "sm" })}>
                  {t("missing.login")}
                </PathLink>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
