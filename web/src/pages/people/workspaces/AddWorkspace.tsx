import { useState } from "react";

import { notify } from "@/app/notify";
import { FormDialog } from "@/parts/dialog/FormDialog";

import { useT } from "../messages";
import { useAddWorkspace } from "../queries";
import { NameAndSlug, slugOf } from "../NameAndSlug";

export function AddWorkspace({ onClose }: { onClose(): void }) {
  const t = useT();
  const add = useAddWorkspace();
  const [name, setName] = useState("");
  const [slug, setSlug] = useState<string>();
  const submit = () =>
    add.mutate(
      { name: name.trim(), slug: slug ?? slugOf(name) },
      {
        onSuccess: (made) => {
          notify.done(t("workspaces.added", { name: made.name }));
          onClose();
        },
      },
    );
  return (
    <FormDialog title={t("workspaces.add")} description={t("workspaces.add.text")} action={t("workspaces.add.action")} busy={add.isPending} error={add.error} onSubmit={submit} onClose={onClose}>
      <NameAndSlug name={name} onName={setName} slug={slug} onSlug={setSlug} />
    </FormDialog>
  );
}
