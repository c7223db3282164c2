import { Link } from "@tanstack/react-router";
import { CornerDownRight } from "lucide-react";

import { Empty } from "@/parts/states/states";
import { buttonVariants } from "@/ui/button";

import { useT } from "../messages";
import type { Version } from "../queries";
import { VersionsPanel } from "../versions/VersionsPanel";

/** A name that leads to another one. Where the tool had it before, the history under it is still there. */
export function Renamed({ from, to, versions }: { from: string; to: string; versions: Version[] }) {
  const t = useT();
  const wasIts = versions.length > 0;
  return (
    <>
      <Empty
        icon={CornerDownRight}
        title={t(wasIts ? "renamed.title" : "alias.leads", { from, to })}
        action={
          <Link to="/admin/tools/$name" params={{ name: to }} className={buttonVariants()}>
            {t("renamed.open", { name: to })}
          </Link>
        }
      >
        {wasIts ? t("renamed.body") : t("alias.leads.body", { to })}
      </Empty>
      {wasIts && <VersionsPanel name={from} versions={versions} />}
    </>
  );
}
