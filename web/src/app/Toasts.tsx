import type { FocusEvent } from "react";
import { Toaster } from "sonner";

import { useT } from "./messages";
import { effective, useTheme } from "./theme";

/** Over everything, an open drawer as well: that lets no pointer through to the page, so the toasts ask for theirs. */
export function Toasts() {
  const t = useT();
  return (
    <div className="contents" onFocusCapture={keepToKeyboards}>
      <Toaster
        theme={effective(useTheme())}
        position="bottom-right"
        mobileOffset={{ bottom: 72 }}
        closeButton
        containerAriaLabel={t("toasts")}
        className="pointer-events-auto"
        toastOptions={{ closeButtonAriaLabel: t("toasts.close"), className: "!font-sans !rounded-lg !border-border !bg-popover !text-popover-foreground", descriptionClassName: "!text-muted-foreground" }}
      />
    </div>
  );
}

/**
 * Whoever leaves the toasts gets the focus back where it was before. With a mouse that would take it from what was clicked next, and shut
 * the menu that opened there: so only a keyboard's visit is noticed.
 */
function keepToKeyboards(event: FocusEvent<HTMLElement>): void {
  if (!event.target.matches(":focus-visible")) event.stopPropagation();
}
