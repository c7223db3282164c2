import { Link } from "@tanstack/react-router";
import { Archive, CirclePause, CirclePlay, EllipsisVertical, MessagesSquare, Play } from "lucide-react";
import { useState } from "react";

import type { Agent } from "@/api/queries";
import { notify } from "@/app/notify";
import { useMe } from "@/app/session";
import { Button, buttonVariants } from "@/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownSeparator, DropdownTrigger } from "@/ui/dropdown";

import { useT } from "../messages";
import { usePatchAgent } from "../mutations";
import { ArchiveDialog } from "./ArchiveDialog";
import { RunDialog } from "./RunDialog";

/** What one does with an agent: run it, talk to it, pause it, archive it. */
export function AgentActions({ agent }: { agent: Agent }) {
  const t = useT();
  const me = useMe();
  const [open, setOpen] = useState<"run" | "archive">();
  const patch = usePatchAgent(agent.id);
  const mayRun = me.may("tools.tenant.execute") && agent.status === "active";
  const mayPause = me.may("agents.tenant.update") && agent.status !== "archived";
  const mayArchive = me.may("agents.tenant.archive") && agent.status !== "archived";
  const isPaused = agent.status === "paused";
  const name = agent.display_name;
  const setStatus = (status: "active" | "paused", undo?: () => void) =>
    patch.mutate({ status }, { onSuccess: () => notify.done(t(status === "paused" ? "paused" : "resumed", { name }), { undo, detail: status === "paused" ? t("paused.detail") : undefined }) });
  const turn = () => (isPaused ? setStatus("active", () => setStatus("paused")) : setStatus("paused", () => setStatus("active")));
  return (
    <>
      {mayRun && (
        <>
          <Button onClick={() => setOpen("run")}>
            <Play aria-hidden />
            {t("run")}
          </Button>
          <Link to="/chat" search={{ agent: agent.handle }} className={buttonVariants({ variant: "outline" })}>
            <MessagesSquare aria-hidden />
            {t("chat")}
          </Link>
        </>
      )}
      {mayPause && isPaused && (
        <Button variant="outline" busy={patch.isPending} onClick={turn}>
          <CirclePlay aria-hidden />
          {t("resume")}
        </Button>
      )}
      {(mayPause || mayArchive) && (
        <Dropdown>
          <DropdownTrigger asChild>
            <Button variant="outline" size="icon" aria-label={t("more")}>
              <EllipsisVertical aria-hidden />
            </Button>
          </DropdownTrigger>
          <DropdownContent align="end">
            {mayPause && (
              <DropdownItem onSelect={turn}>
                {isPaused ? <CirclePlay aria-hidden /> : <CirclePause aria-hidden />}
                {t(isPaused ? "resume" : "pause")}
              </DropdownItem>
            )}
            {mayPause && mayArchive && <DropdownSeparator />}
            {mayArchive && (
              <DropdownItem destructive onSelect={() => setOpen("archive")}>
                <Archive aria-hidden />
                {t("archive")}
              </DropdownItem>
            )}
          </DropdownContent>
        </Dropdown>
      )}
      <RunDialog agent={agent} isOpen={open === "run"} onClose={() => setOpen(undefined)} />
      <ArchiveDialog agent={agent} isOpen={open === "archive"} onClose={() => setOpen(undefined)} />
    </>
  );
}
