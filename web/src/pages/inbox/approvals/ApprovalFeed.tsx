import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";

import { notify } from "@/app/notify";
import { useMe } from "@/app/session";
import { useShortcut } from "@/app/shortcuts";
import { canBeEdited, DecisionDialog, needsAnother, RejectDialog, useDecide, type Outcome } from "@/parts/decision";

import { useT } from "../messages";
import { ApprovalCard } from "./ApprovalCard";
import { ApproveAll } from "./ApproveAll";
import type { Group } from "./groups";

type Asked = { what: "approve" | "reject" | "edit"; group: Group };

interface Props {
  groups: Group[];
  onDecided(id: string): void;
  onApart(key: string): void;
}

/** One article per question; j and k move between them, a, r and e answer the one in focus. */
export function ApprovalFeed({ groups, onDecided, onApart }: Props) {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  const feed = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [asked, setAsked] = useState<Asked>();
  const at = Math.max(0, Math.min(active, groups.length - 1));
  const current = groups[at];
  const done = ({ kind, invocation }: Outcome) => kind !== "voted" && onDecided(invocation.id);
  const decide = useDecide(done);

  const focus = (index: number) => {
    const next = Math.max(0, Math.min(groups.length - 1, index));
    setActive(next);
    feed.current?.querySelector<HTMLElement>(`[data-article="${next}"]`)?.focus();
  };
  const open = (id: string) => void navigate({ to: ".", search: (search) => ({ ...search, invocation: id }) });
  const answer = (what: Asked["what"], group = current) => {
    if (!group || decide.isPending) return;
    const [first] = group.calls;
    if (what !== "reject" && needsAnother(first, me.principal)) return notify.info(t("own"));
    if (what === "edit" && group.calls.length > 1) return notify.info(t("identical.edit"));
    if (what === "edit" && !canBeEdited(first)) return notify.info(t("quorum.edit"));
    if (what === "approve" && group.calls.length === 1) return decide.mutate({ invocation: first, ruling: { kind: "approve" } });
    setAsked({ what, group });
  };
  const group = t("title");
  // The first press shows where one is; only what is in focus is answered by a key.
  const isInside = () => feed.current?.contains(document.activeElement) ?? false;
  const move = (step: number) => focus(isInside() ? at + step : at);
  useShortcut({ keys: "j", label: t("shortcut.next"), group, run: () => move(1) });
  useShortcut({ keys: "k", label: t("shortcut.previous"), group, run: () => move(-1) });
  const onKey = (what: Asked["what"]) => (isInside() ? answer(what) : focus(at));
  useShortcut({ keys: "a", label: t("shortcut.approve"), group, run: () => onKey("approve") });
  useShortcut({ keys: "r", label: t("shortcut.reject"), group, run: () => onKey("reject") });
  useShortcut({ keys: "e", label: t("shortcut.edit"), group, run: () => onKey("edit") });

  const calls = asked?.group.calls ?? [];
  return (
    <div ref={feed} role="feed" aria-label={t("approvals")} className="flex flex-col gap-3">
      {groups.map((one, index) => (
        <ApprovalCard
          key={one.key}
          group={one}
          index={index}
          count={groups.length}
          isActive={index === at}
          onActive={() => setActive(index)}
          onOpen={() => open(one.calls[0].id)}
          onDone={done}
          onApproveAll={() => answer("approve", one)}
          onRejectAll={() => answer("reject", one)}
          onApart={onApart}
        />
      ))}
      {asked?.what === "approve" && <ApproveAll calls={calls} onClose={() => setAsked(undefined)} onDone={done} />}
      {asked?.what === "reject" && <RejectDialog calls={calls} onClose={() => setAsked(undefined)} onDone={done} />}
      {asked?.what === "edit" && <DecisionDialog invocation={asked.group.calls[0]} asking="edit" onClose={() => setAsked(undefined)} onDone={done} />}
    </div>
  );
}
