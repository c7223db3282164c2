import { Toaster } from "sonner";

import { effective, useTheme } from "./theme";

/** Over everything, an open drawer as well: that lets no pointer through to the page, so the toasts ask for theirs. */
export function Toasts() {
  return (
    <Toaster
      theme={effective(useTheme())}
      position="bottom-right"
      mobileOffset={{ bottom: 72 }}
      closeButton
      className="pointer-events-auto"
      toastOptions={{ className: "!font-sans !rounded-lg !border-border !bg-popover !text-popover-foreground", descriptionClassName: "!text-muted-foreground" }}
    />
  );
}
