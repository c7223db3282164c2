import { useQuery } from "@tanstack/react-query";

import { CopyButton } from "@/parts/copy/CopyButton";
import { JsonDiff } from "@/parts/changes/JsonDiff";
import { Fact, FactList } from "@/parts/facts/FactList";
import { JsonTree } from "@/parts/json/JsonTree";
import { Failed, Loading } from "@/parts/states/states";
import { AbsoluteTime } from "@/parts/time/Time";
import { Principal } from "@/parts/people/Principal";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Sheet, SheetBody, SheetContent, SheetHeader, SheetTitle } from "@/ui/sheet";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/ui/tabs";

import { toneOf } from "./gist";
import { useT } from "./messages";
import { eventQuery, type AuditEvent } from "./queries";
import type { AuditFilters } from "./search";
import { Target } from "./Target";

interface EventDrawerProps {
  id: string;
  /** The event, where the list has it already. */
  known: AuditEvent | undefined;
  onClose(): void;
  onFilter(next: AuditFilters): void;
}

/** One event: who, what, when; what differs before and after, and both whole. */
export function EventDrawer({ id, known, onClose, onFilter }: EventDrawerProps) {
  const t = useT();
  const asked = useQuery({ ...eventQuery(id), enabled: known === undefined });
  const event = known ?? asked.data;
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SheetContent aria-describedby={undefined}>
        <SheetHeader>
          <SheetTitle className="flex flex-wrap items-center gap-2">
            {t("event")}
            {event && (
              <Badge tone={toneOf(event.action)} className="font-mono">
                {event.action}
              </Badge>
            )}
          </SheetTitle>
        </SheetHeader>
        <SheetBody className="flex flex-col gap-4">{event ? <EventBody event={event} onFilter={onFilter} /> : asked.error ? <Failed error={asked.error} onRetry={() => void asked.refetch()} /> : <Loading />}</SheetBody>
      </SheetContent>
    </Sheet>
  );
}

function EventBody({ event, onFilter }: { event: AuditEvent; onFilter(next: AuditFilters): void }) {
  const t = useT();
  const has = (value: unknown) => value !== undefined && value !== null;
  return (
    <>
      <FactList>
        <Fact name={t("column.at")}>
          <AbsoluteTime at={event.at} />
        </Fact>
        <Fact name={t("column.actor")}>
          <span className="flex flex-wrap items-center gap-2">
            <Principal id={event.actor} />
            <Button variant="link" size="inline" onClick={() => onFilter({ actor: event.actor })}>
              {t("more.actor")}
            </Button>
          </span>
        </Fact>
        <Fact name={t("column.target")}>
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <span className="min-w-0">
              <Target target={event.target} />
            </span>
            <Button variant="link" size="inline" onClick={() => onFilter({ target: event.target })}>
              {t("more.target")}
            </Button>
          </span>
        </Fact>
        <Fact name={t("id")}>
          <span className="flex min-w-0 items-center gap-1">
            <code className="truncate font-mono text-xs">{event.id}</code>
            <CopyButton text={event.id} label={t("copyId")} />
          </span>
        </Fact>
      </FactList>
      <Tabs defaultValue={has(event.before) && has(event.after) ? "changes" : has(event.after) ? "after" : has(event.before) ? "before" : "whole"}>
        <TabsList aria-label={t("event")}>
          {has(event.before) && has(event.after) && <TabsTrigger value="changes">{t("changes")}</TabsTrigger>}
          {has(event.before) && <TabsTrigger value="before">{t("before")}</TabsTrigger>}
          {has(event.after) && <TabsTrigger value="after">{t("after")}</TabsTrigger>}
          <TabsTrigger value="whole">{t("whole")}</TabsTrigger>
        </TabsList>
        <TabsContent value="changes">
          <JsonDiff before={event.before} after={event.after} label={t("changes")} />
        </TabsContent>
        <TabsContent value="before">
          <JsonTree value={event.before} label={t("before")} />
        </TabsContent>
        <TabsContent value="after">
          <JsonTree value={event.after} label={t("after")} />
        </TabsContent>
        <TabsContent value="whole">
          <JsonTree value={event} label={t("whole")} />
        </TabsContent>
      </Tabs>
    </>
  );
}
