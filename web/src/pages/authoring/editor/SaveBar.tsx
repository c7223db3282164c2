import { FlaskConical, Rocket, Undo2 } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";

import { useT } from "../messages";

interface Props {
  version: string;
  isNew: boolean;
  isChanged: boolean;
  canPublish: boolean;
  isBusy: boolean;
  onPublish(): void;
  onDiscard(): void;
  onTest: (() => void) | undefined;
  children: ReactNode;
}

/** Always in sight: how it stands, and the way to publish it. */
export function SaveBar({ version, isNew, isChanged, canPublish, isBusy, onPublish, onDiscard, onTest, children }: Props) {
  const t = useT();
  return (
    // On a phone it takes room only while there is something to publish.
    <div role="region" aria-label={t("bar")} className={cn("sticky bottom-0 z-20 -mx-4 mt-auto flex flex-wrap items-center gap-x-2 gap-y-2 border-t bg-background px-4 py-2.5 md:-mx-6 md:px-6", !isChanged && "max-md:hidden")}>
      {/* On a phone it scrolls, so a keyboard must be able to get into it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div tabIndex={0} className="min-w-0 flex-1 max-md:max-h-32 max-md:basis-full max-md:overflow-y-auto md:basis-64">
        {isChanged ? children : <p className="text-sm text-muted-foreground">{t("bar.unchanged")}</p>}
      </div>
      {onTest && (
        <Button variant="ghost" className="xl:hidden" onClick={onTest}>
          <FlaskConical aria-hidden />
          {t("test")}
        </Button>
      )}
      <Button variant="outline" disabled={!isChanged || isBusy} onClick={onDiscard}>
        <Undo2 aria-hidden />
        {t("discard")}
      </Button>
      <Button disabled={!canPublish} busy={isBusy} onClick={onPublish}>
        {!isBusy && <Rocket aria-hidden />}
        {isNew ? t("publish", { version }) : t("publish.edit", { version })}
      </Button>
    </div>
  );
}
