import type { ComponentProps } from "react";

import { cn } from "./cn";

// 16 px on a phone: with less, iOS zooms the page when the field takes the focus.
export const fieldClasses =
  "w-full min-w-0 rounded-md border border-input/60 bg-background px-2.5 text-sm text-foreground transition-colors placeholder:text-muted-foreground hover:border-input disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-destructive max-md:min-h-11 max-md:text-[16px]";

export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return <input type={type} className={cn(fieldClasses, "h-8", className)} {...props} />;
}

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea className={cn(fieldClasses, "min-h-20 py-1.5", className)} {...props} />;
}
