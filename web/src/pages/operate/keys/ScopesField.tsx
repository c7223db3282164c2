import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";

import { useAccess } from "../shared/access";
import { useT } from "./messages";
import { PRESETS, SCOPES, type Preset, type Scope } from "./scopes";

const NAMES = Object.keys(PRESETS) as Preset[];

/** What the key may do, in words. What somebody cannot do themselves they cannot grant. */
export function ScopesField({ scopes, onChange }: { scopes: Scope[]; onChange(scopes: Scope[]): void }) {
  const t = useT();
  const { has } = useAccess();
  const turn = (scope: Scope, isOn: boolean) => onChange(SCOPES.filter((one) => (one === scope ? isOn : scopes.includes(one))));
  const isAlike = (preset: Preset) => scopes.length === PRESETS[preset].length && PRESETS[preset].every((scope) => scopes.includes(scope));
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1.5 text-sm font-medium">{t("form.preset")}</legend>
      <div className="flex flex-wrap gap-2">
        {NAMES.map((preset) => (
          <Button key={preset} variant={isAlike(preset) ? "secondary" : "outline"} size="sm" aria-pressed={isAlike(preset)} onClick={() => onChange([...PRESETS[preset]])}>
            {t(`form.preset.${preset}`)}
          </Button>
        ))}
      </div>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {SCOPES.map((scope) => (
          <label key={scope} className="flex items-start gap-2 py-1 text-sm max-md:min-h-11" title={has(scope) ? undefined : t("form.beyond")}>
            <Checkbox checked={scopes.includes(scope)} disabled={!has(scope)} onCheckedChange={(isOn) => turn(scope, isOn === true)} className="mt-0.5" />
            <span className="min-w-0">
              {t(`scope.${scope}`)}
              <code className="block font-mono text-xs text-muted-foreground">{scope}</code>
            </span>
          </label>
        ))}
      </div>
      {scopes.length === 0 && (
        <p role="alert" className="text-xs text-bad">
          {t("form.scopes.none")}
        </p>
      )}
    </fieldset>
  );
}
