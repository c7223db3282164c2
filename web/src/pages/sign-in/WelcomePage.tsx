import { useRouter } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";

import { explain } from "@/app/notify";
import { useFirstPerson } from "@/app/session";
import { Button } from "@/ui/button";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { Entrance, Notice } from "./Entrance";
import { useT } from "./messages";

/** The first account of an installation, made by the link that its first start printed. */
export function WelcomePage() {
  const t = useT();
  const router = useRouter();
  const first = useFirstPerson();
  const [token] = useState(() => window.location.hash.slice(1));

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    first.mutate(
      { token, name: text("name"), email: text("email"), password: String(form.get("password") ?? "") },
      { onSuccess: () => router.history.replace("/") },
    );
  };

  return (
    <Entrance title={t("welcome.title")} lead={t("welcome.lead")}>
      {token === "" && <Notice>{t("welcome.missing")}</Notice>}
      <form className="grid gap-4" onSubmit={submit} aria-describedby={first.isError ? "welcome-error" : undefined}>
        <Field id="name" label={t("welcome.name")}>
          <Input id="name" name="name" autoComplete="name" required autoFocus className="h-9" />
        </Field>
        <Field id="email" label={t("email")}>
          <Input id="email" name="email" type="email" autoComplete="username" required className="h-9" />
        </Field>
        <Field id="password" label={t("password")} help={t("welcome.password.help")}>
          <Input id="password" name="password" type="password" autoComplete="new-password" minLength={12} required aria-describedby="password-help" className="h-9" />
        </Field>
        {first.isError && <Notice id="welcome-error">{explain(first.error).detail || explain(first.error).title}</Notice>}
        <Button type="submit" size="lg" busy={first.isPending} disabled={token === ""}>
          {t("welcome.submit")}
        </Button>
      </form>
    </Entrance>
  );
}
