import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps, MouseEvent } from "react";

import { cn } from "./cn";
import { Spinner } from "./spinner";

export const buttonVariants = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        default: "bg-primary text-primary-foreground hover:bg-primary/90",
        secondary: "bg-secondary text-secondary-foreground hover:bg-secondary/70",
        outline: "border border-border bg-background hover:bg-accent hover:text-accent-foreground",
        ghost: "hover:bg-accent hover:text-accent-foreground",
        destructive: "bg-destructive text-destructive-foreground hover:bg-destructive/90",
        link: "text-link underline-offset-4 hover:underline",
      },
      // On a phone every target is at least 44 px high.
      size: {
        default: "h-8 px-3 text-sm max-md:min-h-11",
        sm: "h-7 px-2 text-xs max-md:min-h-11",
        lg: "h-9 px-4 text-base max-md:min-h-11",
        icon: "size-8 max-md:size-11",
        inline: "h-auto p-0",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

export type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonVariants> & { asChild?: boolean; busy?: boolean };

/** `busy` shows that the click is being carried out, and lets no second one through. The focus stays: a `disabled` button would lose it. */
export function Button({ className, variant, size, asChild = false, busy = false, children, ...props }: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button type="button" {...props} {...(busy && { onClick: stop, "aria-busy": true, "aria-disabled": true })} className={classes}>
      {busy && <Spinner />}
      {children}
    </button>
  );
}

function stop(event: MouseEvent): void {
  event.preventDefault();
}
