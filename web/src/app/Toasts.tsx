import { Toaster } from "sonner";

import { useT } from "./messages";
import { effective, useTheme } from "./theme";

/** Over everything, an open drawer as well: that lets no pointer through to the page, so the toasts ask for theirs. */
export function Toasts() {
  const t = useT();
  return (
    <Toaster
      theme={effective(useTheme())}
      position="bottom-right"
      mobileOffset={{ bottom: 72 }}
      closeButton
      containerAriaLabel={t("toasts")}
      className="pointer-events-auto"
      toastOptions={{ closeButtonAriaLabel: t("toasts.close"), className: "!font-sans !rounded-lg !border-border !bg-popover !text-popover-foreground", descriptionClassName: "!text-muted-foreground" }}
    />
  );
}
