import { use, type ReactNode } from "react";

import { Label } from "@/ui/label";

import { InSheet } from "./in-sheet";

/** A control with its label above it in a sheet; in a row, what is chosen says what it is about. */
export function Labelled({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  if (!use(InSheet)) return children;
  return (
    <div className="grid gap-1">
      <Label htmlFor={id}>{label}</Label>
      {children}
    </div>
  );
}
