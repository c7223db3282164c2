import type { ReactNode } from "react";

import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

/** A part of a section, under a heading of its own. */
export function Part({ title, help, actions, children }: { title: string; help?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Card className="min-w-0">
      <CardHeader>
        <div className="mr-auto min-w-0">
          <CardTitle>{title}</CardTitle>
          {help !== undefined && <p className="pt-0.5 text-xs text-muted-foreground">{help}</p>}
        </div>
        {actions}
      </CardHeader>
      <CardContent className="grid min-w-0 gap-4">{children}</CardContent>
    </Card>
  );
}
