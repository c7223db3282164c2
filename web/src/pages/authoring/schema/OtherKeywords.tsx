import { Plus } from "lucide-react";
import { useState } from "react";

import { Button } from "@/ui/button";

import { JsonControl } from "../controls/JsonControl";
import { idAt, isObject, type Doc, type Path } from "../doc/json";
import { useT } from "../messages";
import { restOf, withRest } from "./keywords";
import type { Shape } from "./shape";

interface Props {
  name: string;
  schema: Doc;
  shape: Shape;
  onChange(schema: Doc): void;
  at: Path;
}

/** What the controls do not show is kept as it is, and can be changed here. */
export function OtherKeywords({ name, schema, shape, onChange, at }: Props) {
  const t = useT();
  const rest = restOf(schema, shape);
  const isEmpty = Object.keys(rest).length === 0;
  const [isAsked, setIsAsked] = useState(false);
  if (isEmpty && !isAsked) {
    return (
      <Button variant="ghost" size="sm" className="justify-self-start text-muted-foreground" onClick={() => setIsAsked(true)}>
        <Plus aria-hidden />
        {t("field.other.add")}
      </Button>
    );
  }
  return (
    <div className="grid min-w-0 gap-1.5">
      <p className="text-sm font-medium">{t("field.other")}</p>
      <p className="text-xs text-muted-foreground">{t("field.other.help")}</p>
      <JsonControl id={`${idAt(at)}-other`} label={t("field.other.of", { name })} value={rest} empty={{}} onChange={(value) => onChange(withRest(schema, shape, isObject(value) ? value : {}))} />
    </div>
  );
}
