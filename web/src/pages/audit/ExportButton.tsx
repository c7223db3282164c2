import { Download } from "lucide-react";

import { useT } from "./messages";
import { buttonVariants } from "@/ui/button";

/** The browser fetches it by itself: the trail may be larger than what a page can hold. */
export function ExportButton() {
  const t = useT();
  return (
    <a href="/api/audit/export" download="audit.jsonl" className={buttonVariants({ variant: "outline" })}>
      <Download aria-hidden />
      {t("export")}
    </a>
  );
}
