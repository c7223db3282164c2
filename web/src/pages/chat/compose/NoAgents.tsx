import { Bot } from "lucide-react";

import { PathLink } from "@/app/PathLink";
import { useMe } from "@/app/session";
import { CopyButton } from "@/parts/copy/CopyButton";
import { Empty } from "@/parts/states/states";
import { buttonVariants } from "@/ui/button";

import { useT } from "../messages";

const COMMAND = 'toolgate agent create clerk --name Clerk --persona "You add up what people spent." --tool calculate';

/** Without an agent there is nobody to talk to: what one is, and how to get the first. */
export function NoAgents() {
  const t = useT();
  const mayMake = useMe().may("agents.tenant.create");
  return (
    <Empty icon={Bot} title={t("none.title")}>
      <p>{t("none.text")}</p>
      {mayMake ? (
        <div className="flex flex-col items-center gap-3 pt-4">
          <PathLink path="/agents/new" className={buttonVariants({})}>
            {t("none.action")}
          </PathLink>
          <p>{t("none.command")}</p>
          <span className="flex max-w-full items-center gap-1">
            <code className="min-w-0 py-1 text-left break-words">{COMMAND}</code>
            <CopyButton text={COMMAND} label={t("none.copy")} />
          </span>
        </div>
      ) : (
        <p className="pt-2">{t("none.ask")}</p>
      )}
    </Empty>
  );
}
