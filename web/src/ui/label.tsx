import { Label as Primitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";

import { cn } from "./cn";

export function Label({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn("text-sm font-medium", className)} {...props} />;
}

export interface FieldProps {
  id: string;
  label: string;
  help?: ReactNode;
  error?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A labelled control. The control itself names `${id}-help` and `${id}-error` in `aria-describedby`. */
export function Field({ id, label, help, error, children, className }: FieldProps) {
  return (
    <div className={cn("grid content-start gap-1.5", className)}>
      <Label htmlFor={id}>{label}</Label>
      {children}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-xs text-muted-foreground">
          {help}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
