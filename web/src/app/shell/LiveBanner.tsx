import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

import { live } from "@/api/live";

import { useT } from "../messages";

/** Says when what is on the page may be old. */
export function LiveBanner() {
  const t = useT();
  const state = useSyncExternalStore(live.watch, live.getState);
  return (
    <div role="status">
      {state === "down" && (
        <p className="flex items-center gap-2 border-b bg-warn-soft px-4 py-1.5 text-sm text-warn">
          <WifiOff aria-hidden className="size-4" />
          {t("live.down")}
        </p>
      )}
    </div>
  );
}
