import { Archive, Eye, WifiOff } from "lucide-react";
import type { ReactNode, Ref } from "react";

import type { Agent } from "@/api/queries";
import { useIsPhone } from "@/parts/table/useIsPhone";
import { Button } from "@/ui/button";

import { Composer } from "./compose/Composer";
import { useThreadActions } from "./list/useThreadActions";
import { useT } from "./messages";
import type { Thread } from "./queries";

interface Props {
  thread: Thread;
  agent: Agent | undefined;
  isOwn: boolean;
  isBroken: boolean;
  isBusy: boolean;
  /** Busy, and a person must answer before the agent can. */
  isWaiting: boolean;
  isSending: boolean;
  isStopping: boolean;
  draft: string;
  field: Ref<HTMLTextAreaElement>;
  onDraft: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
}

/** Where one writes; or why one cannot. */
export function Bottom({ thread, agent, isOwn, isBroken, isBusy, isWaiting, isSending, isStopping, draft, field, onDraft, onSend, onStop }: Props) {
  const t = useT();
  const isPhone = useIsPhone();
  const { reopen } = useThreadActions();
  const name = agent?.display_name ?? t("agent.unknown");
  const isAway = agent !== undefined && agent.status !== "active";
  const blocked = isWaiting ? t("blocked.waiting", { name }) : isBusy ? t("blocked", { name }) : isAway ? t(agent.status === "paused" ? "blocked.paused" : "blocked.archived", { name }) : undefined;
  return (
    <div className="border-t bg-background">
      <div className="mx-auto flex max-w-3xl flex-col gap-2 px-4 pt-3 pb-2">
        <div role="status">
          {isBroken && <Note icon={WifiOff}>{t("broken")}</Note>}
        </div>
        {!isOwn ? (
          <Note icon={Eye}>{t("notOwn")}</Note>
        ) : thread.archived_at ? (
          <Note icon={Archive}>
            <span className="mr-auto">{t("archived.note")}</span>
            <Button variant="outline" size="sm" onClick={() => reopen(thread)}>
              {t("reopen")}
            </Button>
          </Note>
        ) : (
          <Composer
            label={t("say", { name })}
            text={draft}
            onChange={onDraft}
            onSend={onSend}
            blocked={blocked}
            isSending={isSending}
            onStop={isBusy ? onStop : undefined}
            isStopping={isStopping}
            field={field}
            // On a phone the keyboard would cover the conversation.
            autoFocus={!isPhone}
          />
        )}
      </div>
    </div>
  );
}

function Note({ icon: Icon, children }: { icon: typeof Eye; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
      <Icon aria-hidden className="size-4 shrink-0" />
      {children}
    </div>
  );
}
