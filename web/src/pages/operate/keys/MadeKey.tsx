import { CopyButton } from "@/parts/copy/CopyButton";
import { Button } from "@/ui/button";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";
import { SheetBody, SheetFooter } from "@/ui/sheet";

import { useT } from "./messages";

export function MadeKey({ secret, onDone }: { secret: string; onDone(): void }) {
  const t = useT();
  const line = `export TOOLGATE_KEY=${secret}`;
  return (
    <>
      <SheetBody className="grid content-start gap-5">
        <Field id="made-key" label={t("made.key")}>
          <div className="flex gap-2">
            <Input id="made-key" readOnly value={secret} className="font-mono" onFocus={(event) => event.target.select()} />
            <CopyButton text={secret} variant="outline" label={t("made.copy")} />
          </div>
        </Field>
        <div className="grid gap-1.5 text-sm">
          <p>{t("made.use")}</p>
          <div className="flex items-start gap-2 rounded-md bg-muted px-3 py-2">
            <code className="min-w-0 flex-1 font-mono text-xs break-all">{line}</code>
            <CopyButton text={line} className="size-6 max-md:size-11" />
          </div>
        </div>
      </SheetBody>
      <SheetFooter>
        <Button onClick={onDone}>{t("made.done")}</Button>
      </SheetFooter>
    </>
  );
}
