import { useState, type FormEvent } from "react";

import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Button } from "@/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "@/ui/dialog";

import { useRotateSecret } from "./actions";
import { useT } from "./messages";
import type { Secret } from "./needs";
import { ScopeBadge } from "./ScopeBadge";
import { ValueField } from "./ValueField";

export function RotateDialog({ secret, onClose }: { secret: Secret; onClose(): void }) {
  const t = useT();
  const [value, setValue] = useState("");
  const [hasLines, setHasLines] = useState(false);
  const rotate = useRotateSecret();
  const { name, scope, workspace_id: workspace } = secret;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotate.mutate(
      { name, body: { value, scope, ...(workspace ? { workspace } : {}) } },
      {
        onSuccess() {
          notify.done(t("rotate.done", { name }));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent>
        <DialogTitle className="break-all">{t("rotate.title", { name })}</DialogTitle>
        <DialogDescription>{t("rotate.lead")}</DialogDescription>
        <form className="grid gap-4" onSubmit={submit} autoComplete="off">
          <Refusal error={rotate.error} />
          <p>
            <ScopeBadge secret={secret} />
          </p>
          <ValueField value={value} onChange={setValue} hasLines={hasLines} onHasLines={setHasLines} />
          <DialogFooter>
            <Button variant="ghost" onClick={onClose}>
              {t("cancel")}
            </Button>
            <Button type="submit" busy={rotate.isPending}>
              {t("form.rotate")}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
