import { Button } from "@/ui/button";

import { useT } from "../messages";

export function ClearFilters({ onClear }: { onClear(): void }) {
  const t = useT();
  return (
    <Button variant="ghost" aria-label={t("filters.clear")} className="md:px-2" onClick={onClear}>
      {t("filters.clearShort")}
    </Button>
  );
}
