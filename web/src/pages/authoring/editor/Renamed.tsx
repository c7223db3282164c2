import { Link } from "@tanstack/react-router";
import { CornerDownRight } from "lucide-react";

import { Empty } from "@/parts/states/states";
import { buttonVariants } from "@/ui/button";

import { useT } from "../messages";
import type { Version } from "../queries";
import { VersionsPanel } from "../versions/VersionsPanel";

/** A name that now leads to another one: the history under it is still there. */
export function Renamed({ from, to, versions }: { from: string; to: string; versions: Version[] }) {
  const t = useT();
  return (
    <>
      <Empty
        icon={CornerDownRight}
        title={t("renamed.title", { from, to })}
        action={
          <Link to="/admin/tools/$name" params={{ name: to }} className={buttonVariants()}>
            {t("renamed.open", { name: to })}
          </Link>
        }
      >
        {t("renamed.body")}
      </Empty>
      <VersionsPanel name={from} versions={versions} />
    </>
  );
}
