import { Toaster } from "sonner";

import { effective, useTheme } from "./theme";

export function Toasts() {
  return <Toaster theme={effective(useTheme())} position="bottom-right" mobileOffset={{ bottom: 72 }} closeButton toastOptions={{ className: "!font-sans !rounded-lg !border-border !bg-popover !text-popover-foreground" }} />;
}
