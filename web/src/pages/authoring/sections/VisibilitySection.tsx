import { FieldList } from "../controls/FieldList";
import { useT } from "../messages";
import { LiveSettings } from "../system/LiveSettings";
import { Part } from "./Part";
import type { SectionProps } from "./SectionProps";
import { GUARD, VISIBILITY } from "./specs";

interface Props extends SectionProps {
  /** Of a published tool: it can be switched off. */
  published: string | undefined;
}

export function VisibilitySection({ definition, onChange, complaint, published }: Props) {
  const t = useT();
  return (
    <>
      <Part title={t("visibility.who")}>
        <FieldList specs={VISIBILITY} doc={definition} onChange={onChange} complaint={complaint} />
        {definition["visibility"] === "internal" && <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{t("visibility.internal.warning")}</p>}
      </Part>
      <Part title={t("guard")} help={t("guard.help")}>
        <FieldList specs={GUARD} doc={definition} onChange={onChange} complaint={complaint} />
      </Part>
      {published !== undefined && <LiveSettings name={published} />}
    </>
  );
}
