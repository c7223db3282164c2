import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Empty } from "@/parts/states/states";

/** The good kind of empty: nothing to do. */
export function NothingWaits({ icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <Empty icon={icon} title={title}>
      {children}
    </Empty>
  );
}
