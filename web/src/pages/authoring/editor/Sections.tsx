import type { ReactNode } from "react";

import { TabsContent } from "@/ui/tabs";

import type { Section } from "../search";
import { ExecutionSection } from "../sections/ExecutionSection";
import { IdentitySection } from "../sections/IdentitySection";
import { SchemaSection } from "../sections/SchemaSection";
import type { SectionProps } from "../sections/SectionProps";
import { SourceSection } from "../sections/SourceSection";
import { VisibilitySection } from "../sections/VisibilitySection";

interface Props extends SectionProps {
  section: Section;
  published: string | undefined;
  warnings: readonly string[];
  more: Partial<Record<Section, ReactNode>>;
}

/** The section that is chosen. */
export function Sections({ section, published, warnings, more, ...props }: Props) {
  return (
    <TabsContent value={section} className="grid min-w-0 gap-4 pt-0">
      {section === "identity" && <IdentitySection {...props} isPublished={published !== undefined} warnings={warnings} />}
      {section === "visibility" && <VisibilitySection {...props} published={published} />}
      {section === "schema" && <SchemaSection {...props} />}
      {section === "execution" && <ExecutionSection {...props} />}
      {section === "source" && <SourceSection {...props} />}
      {more[section]}
    </TabsContent>
  );
}
