import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { Button } from "@/ui/button";
import { Input } from "@/ui/input";
import { Label } from "@/ui/label";

import { useT } from "../messages";

/** A tool that is switched off is in no list: one must know its name. */
export function OpenByName() {
  const t = useT();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  return (
    <form
      className="flex flex-wrap items-end gap-2 rounded-lg border px-3 py-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") void navigate({ to: "/admin/tools/$name", params: { name: name.trim() } });
      }}
    >
      <div className="grid min-w-0 flex-1 basis-56 gap-1">
        <Label htmlFor="open-by-name">{t("byName")}</Label>
        <p id="open-by-name-help" className="text-xs text-muted-foreground">
          {t("byName.help")}
        </p>
      </div>
      <Input id="open-by-name" className="w-56 max-sm:w-full" placeholder="webSearch" value={name} autoComplete="off" spellCheck={false} aria-describedby="open-by-name-help" onChange={(event) => setName(event.target.value)} />
      <Button type="submit" variant="outline" disabled={name.trim() === ""}>
        {t("byName.open")}
      </Button>
    </form>
  );
}
