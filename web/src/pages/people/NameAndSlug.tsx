import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "./messages";

const MAX_SLUG = 63;

/** The short name that a name suggests: lower-case letters without marks, digits, and `-` between them. */
export function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").slice(0, MAX_SLUG).replace(/^-+|-+$/g, "");
}

interface NameAndSlugProps {
  name: string;
  onName(name: string): void;
  /** None: what the name suggests. */
  slug: string | undefined;
  onSlug(slug: string): void;
}

export function NameAndSlug({ name, onName, slug, onSlug }: NameAndSlugProps) {
  const t = useT();
  return (
    <>
      <Field id="new-name" label={t("named.name")}>
        <Input id="new-name" value={name} onChange={(event) => onName(event.target.value)} required maxLength={120} autoComplete="off" autoFocus />
      </Field>
      <Field id="new-slug" label={t("named.slug")} help={t("named.slug.help")}>
        <Input id="new-slug" value={slug ?? slugOf(name)} onChange={(event) => onSlug(event.target.value)} required maxLength={MAX_SLUG} pattern="[a-z0-9\-]+" autoComplete="off" spellCheck={false} aria-describedby="new-slug-help" className="font-mono" />
      </Field>
    </>
  );
}
