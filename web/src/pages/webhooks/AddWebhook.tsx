import { FormDialog, textOf } from "@/parts/dialog/FormDialog";
import { ShownOnce } from "@/parts/dialog/ShownOnce";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "./messages";
import { useAddWebhook } from "./queries";

export function AddWebhook({ onClose }: { onClose(): void }) {
  const t = useT();
  const add = useAddWebhook();
  if (add.data) {
    return <ShownOnce title={t("added", { name: add.data.name })} description={t("secret.text")} secrets={[{ label: t("secret"), value: add.data.secret }]} onClose={onClose} />;
  }
  return (
    <FormDialog title={t("add")} description={t("add.text")} action={t("add.action")} busy={add.isPending} error={add.error} onSubmit={(form) => add.mutate({ name: textOf(form, "name"), url: textOf(form, "url") })} onClose={onClose}>
      <Field id="webhook-name" label={t("column.name")}>
        <Input id="webhook-name" name="name" required maxLength={120} autoComplete="off" autoFocus />
      </Field>
      <Field id="webhook-url" label={t("column.url")} help={t("url.help")}>
        <Input id="webhook-url" name="url" type="url" required placeholder="https://chat.example/hooks/toolgate" autoComplete="off" aria-describedby="webhook-url-help" />
      </Field>
    </FormDialog>
  );
}
