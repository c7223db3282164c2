import { useState } from "react";

import { FormDialog } from "@/parts/dialog/FormDialog";
import { ShownOnce } from "@/parts/dialog/ShownOnce";

import { useT } from "../messages";
import { NameAndSlug, slugOf } from "../NameAndSlug";
import { useAddTenant } from "../queries";

/** Makes a tenant, and shows its first key: with it, on the command line, its first person is made. */
export function AddTenant({ onClose }: { onClose(): void }) {
  const t = useT();
  const add = useAddTenant();
  const [name, setName] = useState("");
  const [slug, setSlug] = useState<string>();
  if (add.data) {
    const { admin_key: key, name: made } = add.data;
    const command = `TOOLGATE_KEY=${key} toolgate --url ${window.location.origin} user create you@example.com --name You --role admin --password`;
    return (
      <ShownOnce
        title={t("tenants.made", { name: made })}
        description={t("tenants.key")}
        secrets={[
          { label: t("tenants.key.label"), value: key },
          { label: t("tenants.next"), value: command },
        ]}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title={t("tenants.add")} description={t("tenants.add.text")} action={t("tenants.add.action")} busy={add.isPending} error={add.error} onSubmit={() => add.mutate({ name: name.trim(), slug: slug ?? slugOf(name) })} onClose={onClose}>
      <NameAndSlug name={name} onName={setName} slug={slug} onSlug={setSlug} />
    </FormDialog>
  );
}
