/** One look for all controls of a form. Native controls: they work with every keyboard, screen reader and phone there is. */
export const CONTROL =
  "block w-full min-w-0 rounded-md border border-input bg-background px-3 py-2 text-base text-foreground " +
  "placeholder:text-muted-foreground disabled:cursor-not-allowed disabled:opacity-60 " +
  "aria-invalid:border-bad min-h-11 sm:min-h-9 sm:py-1.5";
export const CHECK = "size-5 shrink-0 accent-primary sm:size-4";
export const SMALL_BUTTON =
  "inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-md border border-border bg-background px-2.5 " +
  "text-sm text-foreground hover:bg-accent disabled:cursor-not-allowed disabled:opacity-50 sm:min-h-8 sm:min-w-8";
