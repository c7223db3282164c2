import { useNavigate } from "@tanstack/react-router";
import { CopyPlus } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";

import { Empty, Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";

import { copyOf } from "../doc/definition";
import { keepDraft, keptDraft } from "../doc/drafts";
import { useT } from "../messages";

/** The copy becomes the draft of a new tool, and the address forgets where it came from: a reload must not begin it again. */
export function BeginCopy({ original }: { original: object }) {
  const t = useT();
  const navigate = useNavigate();
  const [kept] = useState(() => keptDraft(""));
  const copy = useMemo(() => copyOf(original), [original]);
  const write = useCallback(() => void navigate({ to: "/admin/tools/new", replace: true }), [navigate]);
  const begin = useCallback(() => {
    keepDraft("", { definition: copy, base: undefined });
    write();
  }, [copy, write]);
  // There is room for one new tool: what somebody is writing there is not taken away unasked.
  useEffect(() => {
    if (!kept) begin();
  }, [kept, begin]);
  if (!kept) return <Loading />;
  return (
    <Empty
      icon={CopyPlus}
      title={t("copy.busy", { name: String(kept.definition["name"] || t("copy.unnamed")) })}
      action={
        <>
          <Button onClick={write}>{t("list.draft.open")}</Button>
          <Button variant="outline" onClick={begin}>
            {t("copy.instead", { name: String(copy["name"]) })}
          </Button>
        </>
      }
    >
      {t("copy.busy.body")}
    </Empty>
  );
}
