import { SearchX } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "@/ui/button";

import { useT } from "../messages";
import { Empty } from "../states/states";

/** Something may be there, but nothing that fits: the way back is to ask for less. */
export function NoMatch({ title, onClear, children }: { title: string; onClear(): void; children?: ReactNode }) {
  const t = useT();
  return (
    <Empty
      icon={SearchX}
      title={title}
      action={
        <Button variant="outline" onClick={onClear}>
          {t("filters.clear")}
        </Button>
      }
    >
      {children}
    </Empty>
  );
}
