import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { followLanguage } from "./app/i18n";
import { beInstallable } from "./app/installable";
import { queryClient, router } from "./app/router";
import { followKeys } from "./app/shortcuts";
import { followTheme } from "./app/theme";
import { Toasts } from "./app/Toasts";
import "./styles.css";
import { TooltipProvider } from "./ui/tooltip";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");

followTheme();
followLanguage();
followKeys();
beInstallable((path) => router.history.push(path));

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <TooltipProvider delayDuration={300}>
        <RouterProvider router={router} />
        <Toasts />
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);
