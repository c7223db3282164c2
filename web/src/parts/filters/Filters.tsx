import { SlidersHorizontal } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "@/ui/button";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/ui/sheet";

import { useT } from "../messages";
import { useIsPhone } from "../table/useIsPhone";
import { ClearFilters } from "./ClearFilters";
import { InSheet } from "./in-sheet";

interface FiltersProps {
  /** How many of them are set. */
  count: number;
  onClear(): void;
  /** The words of the button that leads from the sheet to what was found. */
  show: string;
  children: ReactNode;
}

/** In a row on a desktop; on a phone in a sheet, so that what is looked for keeps the screen. */
export function Filters({ count, onClear, show, children }: FiltersProps) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const clear = count > 0 && <ClearFilters onClear={onClear} />;
  if (!useIsPhone()) {
    return (
      <div role="group" aria-label={t("filters")} className="flex flex-wrap items-center gap-2">
        {children}
        {clear}
      </div>
    );
  }
  return (
    <Sheet open={isOpen} onOpenChange={setIsOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <SlidersHorizontal aria-hidden />
          {count === 0 ? t("filters") : t("filters.active", { count })}
        </Button>
      </SheetTrigger>
      <SheetContent side="bottom" className="gap-3 p-4" aria-describedby={undefined}>
        <SheetTitle>{t("filters")}</SheetTitle>
        <InSheet value>{children}</InSheet>
        <Button onClick={() => setIsOpen(false)}>{show}</Button>
        {clear}
      </SheetContent>
    </Sheet>
  );
}
