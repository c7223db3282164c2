import type { ComponentProps } from "react";

import { cn } from "./cn";

/** A small table that is all there is. Lists that go on are `parts/table`. Scrolls inside itself. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    // A region that scrolls must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="w-full overflow-x-auto rounded-lg border" tabIndex={0} role="group" aria-label={props["aria-label"]}>
      <table className={cn("w-full text-sm", className)} {...props} />
    </div>
  );
}

export function TableHead({ className, ...props }: ComponentProps<"thead">) {
  return <thead className={cn("bg-muted/60 text-left text-xs text-muted-foreground", className)} {...props} />;
}

export function TableBody(props: ComponentProps<"tbody">) {
  return <tbody {...props} />;
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return <tr className={cn("border-b last:border-b-0", className)} {...props} />;
}

export function TableHeader({ className, ...props }: ComponentProps<"th">) {
  return <th scope="col" className={cn("h-8 px-3 font-medium whitespace-nowrap", className)} {...props} />;
}

export function TableCell({ className, ...props }: ComponentProps<"td">) {
  return <td className={cn("px-3 py-2 align-top", className)} {...props} />;
}
