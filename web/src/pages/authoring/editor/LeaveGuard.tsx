import { useBlocker } from "@tanstack/react-router";

import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";

import { useT } from "../messages";

/** Asks before somebody leaves what is not published. It stays in this tab, unless they say otherwise. */
export function LeaveGuard({ isChanged, onDiscard }: { isChanged: boolean; onDiscard(): void }) {
  const t = useT();
  const { status, proceed, reset } = useBlocker({
    // Another section of the same page is no leaving.
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Dialog open onOpenChange={(open) => !open && reset()}>
      <DialogContent>
        <DialogTitle>{t("leave.title")}</DialogTitle>
        <DialogDescription>{t("leave.body")}</DialogDescription>
        <DialogFooter>
          <Button
            variant="ghost"
            onClick={() => {
              onDiscard();
              proceed();
            }}
          >
            {t("leave.discard")}
          </Button>
          <Button variant="outline" onClick={proceed}>
            {t("leave.keep")}
          </Button>
          <Button onClick={reset}>{t("leave.stay")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
