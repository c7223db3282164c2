import { Eye, EyeOff, WandSparkles } from "lucide-react";
import { useId, useState } from "react";

import { Button } from "@/ui/button";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { useT } from "../messages";
import { newPassword } from "./passwords";

interface PasswordFieldProps {
  label: string;
  help: string;
  value: string;
  onChange(value: string): void;
}

/** A password for somebody else: made up by hand or by the browser, and shown when one wants to read it out. */
export function PasswordField({ label, help, value, onChange }: PasswordFieldProps) {
  const t = useT();
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const make = () => {
    onChange(newPassword());
    setIsShown(true);
  };
  return (
    <Field id={id} label={label} help={help}>
      <div className="flex gap-2">
        <Input
          id={id}
          type={isShown ? "text" : "password"}
          autoComplete="new-password"
          spellCheck={false}
          minLength={12}
          maxLength={200}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-describedby={`${id}-help`}
          className={isShown ? "font-mono" : undefined}
        />
        <Button variant="outline" size="icon" aria-label={t(isShown ? "password.hide" : "password.show")} onClick={() => setIsShown(!isShown)}>
          {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </Button>
        <Button variant="outline" onClick={make}>
          <WandSparkles aria-hidden />
          {t("password.make")}
        </Button>
      </div>
    </Field>
  );
}
