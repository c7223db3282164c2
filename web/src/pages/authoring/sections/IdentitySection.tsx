import { FieldList } from "../controls/FieldList";
import { useT } from "../messages";
import { Part } from "./Part";
import type { SectionProps } from "./SectionProps";
import { ANNOTATIONS, IDENTITY } from "./specs";

interface Props extends SectionProps {
  /** A published tool keeps its name; renaming is a matter of its lifecycle. */
  isPublished: boolean;
  warnings: readonly string[];
}

export function IdentitySection({ definition, onChange, complaint, isPublished, warnings }: Props) {
  const t = useT();
  const specs = isPublished ? IDENTITY.filter(({ path }) => path[0] !== "name") : IDENTITY;
  // The server's own words about the name stand at the name.
  const notes = warnings.filter((warning) => warning.startsWith("the name ")).map((message) => ({ pointer: "/name", message }));
  return (
    <>
      <Part title={t("section.identity")} help={isPublished ? t("name.fixed", { name: String(definition["name"]) }) : t("section.identity.help")}>
        <FieldList specs={specs} doc={definition} onChange={onChange} complaint={complaint} notes={notes} />
      </Part>
      <Part title={t("annotations")} help={t("annotations.help")}>
        <FieldList specs={ANNOTATIONS} doc={definition} onChange={onChange} complaint={complaint} />
      </Part>
    </>
  );
}
