import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/ui/sheet";

import { useCreateKey } from "./actions";
import { KeyForm } from "./KeyForm";
import { MadeKey } from "./MadeKey";
import { useT } from "./messages";

/** A form, and after it the key itself, this once. */
export function CreateKey({ onClose }: { onClose(): void }) {
  const t = useT();
  const create = useCreateKey();
  const made = create.data;
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      {/* Neither a click beside it nor a stray key may lose a key that nobody copied yet. */}
      <SheetContent onInteractOutside={(event) => made && event.preventDefault()} onEscapeKeyDown={(event) => made && event.preventDefault()}>
        <SheetHeader>
          <SheetTitle>{made ? t("made.title", { name: made.name }) : t("create")}</SheetTitle>
          <SheetDescription>{made ? t("made.text") : t("create.lead")}</SheetDescription>
        </SheetHeader>
        {made ? <MadeKey secret={made.key} onDone={onClose} /> : <KeyForm error={create.error} isBusy={create.isPending} onCreate={create.mutate} onCancel={onClose} />}
      </SheetContent>
    </Sheet>
  );
}
