import { useState } from "react";

import { SchemaForm } from "@/parts/form";
import { Button } from "@/ui/button";

import { useT } from "../messages";

/** Rules may look at the input: asks again as if the call had this one. Nothing is called. */
export default function WhatIf({ schema, onAsk }: { schema: unknown; onAsk(input: Record<string, unknown>): void }) {
  const t = useT();
  const [value, setValue] = useState<unknown>({});
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className="grid gap-3">
      <Button variant="outline" className="justify-self-start" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {t("whatIf")}
      </Button>
      {isOpen && (
        <div className="rounded-lg border p-4">
          <SchemaForm schema={schema} value={value} onChange={setValue} onSubmit={(input) => onAsk(input as Record<string, unknown>)} prefix="what-if">
            <Button type="submit" className="justify-self-start">
              {t("whatIf.ask")}
            </Button>
          </SchemaForm>
        </div>
      )}
    </section>
  );
}
