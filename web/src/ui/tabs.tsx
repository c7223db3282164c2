import { Tabs as Primitive } from "radix-ui";
import type { ComponentProps } from "react";

import { cn } from "./cn";

export const Tabs = Primitive.Root;

/** Scrolls inside itself where the tabs do not fit. */
export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return <Primitive.List className={cn("flex gap-1 overflow-x-auto border-b", className)} {...props} />;
}

const tabClasses =
  "-mb-px inline-flex items-center gap-1.5 border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 max-md:min-h-11";

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(tabClasses, "data-[state=active]:border-primary data-[state=active]:font-medium data-[state=active]:text-foreground", className)}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn("pt-4", className)} {...props} />;
}
