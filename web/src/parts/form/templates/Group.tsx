import type { ReactNode } from "react";

import { useT } from "../messages";

interface GroupProps {
  id: string;
  title?: string;
  description?: ReactNode;
  required?: boolean;
  children: ReactNode;
}

/** The frame of several fields that belong together: of an object, or of a list. */
export function Group({ id, title, description, required = false, children }: GroupProps) {
  const t = useT();
  return (
    <fieldset id={id} className="min-w-0 rounded-lg border border-border p-4">
      {title && (
        <legend className="px-1 text-sm font-medium">
          {title} {required && <span className="ml-0.5 text-xs font-normal text-muted-foreground">{t("required")}</span>}
        </legend>
      )}
      {description && <p className="mb-3 text-sm text-muted-foreground">{description}</p>}
      {children}
    </fieldset>
  );
}
