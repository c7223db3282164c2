import { RotateCw } from "lucide-react";

import type { Problem } from "@/api/problem";
import { UNREACHABLE } from "@/api/problem";
import { explain } from "@/app/notify";
import { Button } from "@/ui/button";

import { ErrorView } from "./ErrorView";
import { useT } from "./messages";

/** The server did not take the call, or we lost sight of it. */
export function Refused({ problem, onAgain }: { problem: Problem; onAgain: () => void }) {
  const t = useT();
  const { title, detail } = explain(problem);
  const isLost = problem.code === UNREACHABLE;
  return (
    <ErrorView title={isLost ? title : t("refused")} code={problem.code} message={isLost ? t("lost") : detail || title} retryAfterS={problem.retryAfterS}>
      <Button variant="outline" size="sm" onClick={onAgain}>
        <RotateCw aria-hidden />
        {t("again")}
      </Button>
    </ErrorView>
  );
}
