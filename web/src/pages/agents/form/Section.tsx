import type { ReactNode } from "react";

import { Card, CardContent, CardTitle } from "@/ui/card";

/** A part of the form: what it is about on the left, its fields on the right. */
export function Section({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <Card>
      <CardContent className="grid gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] md:gap-8">
        <div>
          <CardTitle>{title}</CardTitle>
          {text !== undefined && <p className="pt-1 text-sm text-muted-foreground">{text}</p>}
        </div>
        <div className="grid min-w-0 content-start gap-4">{children}</div>
      </CardContent>
    </Card>
  );
}
