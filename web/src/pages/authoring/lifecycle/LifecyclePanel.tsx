import { useT } from "../messages";
import type { Version } from "../queries";
import { Part } from "../sections/Part";
import { Aliases } from "./Aliases";
import { DeleteTool } from "./DeleteTool";
import { Rename } from "./Rename";
import { States } from "./States";
import { WhoUses } from "./WhoUses";

/** How a tool goes: deprecated, blocked, renamed, deleted; and who would notice. */
export function LifecyclePanel({ name, versions }: { name: string; versions: Version[] }) {
  const t = useT();
  return (
    <div className="grid min-w-0 items-start gap-4 xl:grid-cols-2">
      <Part title={t("states")} help={t("states.help")}>
        <States name={name} versions={versions} />
      </Part>
      <Part title={t("uses")} help={t("uses.help")}>
        <WhoUses name={name} />
      </Part>
      <Part title={t("rename")} help={t("rename.help")}>
        <Rename name={name} />
        <Aliases name={name} />
      </Part>
      <Part title={t("delete")} help={t("delete.help")}>
        <DeleteTool name={name} />
      </Part>
    </div>
  );
}
