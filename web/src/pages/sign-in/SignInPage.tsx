import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";

import { explain } from "@/app/notify";
import { safeReturn, useSignIn, waysQuery } from "@/app/session";
import { Button, buttonVariants } from "@/ui/button";
import { Input } from "@/ui/input";
import { Field } from "@/ui/label";

import { Entrance, Notice } from "./Entrance";
import { useT } from "./messages";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const t = useT();
  const search = route.useSearch();
  const router = useRouter();
  const signIn = useSignIn();
  const [showsTenant, setShowsTenant] = useState(search.tenant !== undefined);
  const { data: ways } = useQuery(waysQuery);
  const returnTo = safeReturn(search.return_to);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const tenant = text("tenant");
    signIn.mutate(
      { email: text("email"), password: String(form.get("password") ?? ""), ...(tenant !== "" && { tenant }) },
      {
        onSuccess: () => router.history.push(returnTo),
      },
    );
  };

  return (
    <Entrance title={t("title")} lead={t("lead")}>
      {search.failed !== undefined && !signIn.isError && <Notice>{t(`failed.${search.failed}`)}</Notice>}
      <form className="grid gap-4" onSubmit={submit} aria-describedby={signIn.isError ? "sign-in-error" : undefined}>
        <Field id="email" label={t("email")}>
          <Input id="email" name="email" type="email" autoComplete="username" required autoFocus className="h-9" />
        </Field>
        <Field id="password" label={t("password")}>
          <Input id="password" name="password" type="password" autoComplete="current-password" required className="h-9" />
        </Field>
        {showsTenant ? (
          <Field id="tenant" label={t("tenant")} help={t("tenant.help")}>
            <Input id="tenant" name="tenant" defaultValue={search.tenant} autoComplete="organization" aria-describedby="tenant-help" className="h-9" />
          </Field>
        ) : (
          <Button variant="link" size="inline" className="justify-self-start max-md:min-h-11" onClick={() => setShowsTenant(true)}>
            {t("tenant.show")}
          </Button>
        )}
        {signIn.isError && (
          <Notice id="sign-in-error">{explain(signIn.error).detail || explain(signIn.error).title}</Notice>
        )}
        <Button type="submit" size="lg" busy={signIn.isPending}>
          {t("submit")}
        </Button>
      </form>
      {ways?.oidc && <Elsewhere returnTo={returnTo} tenant={search.tenant} />}
      <div className="rounded-lg border p-3 text-sm text-muted-foreground">
        <h2 className="font-medium text-foreground">{t("first.title")}</h2>
        <p className="pt-1">{t("first.text")}</p>
        <pre className="mt-2 rounded-md bg-muted p-2 font-mono text-xs break-words whitespace-pre-wrap text-foreground">toolgate user create you@example.com --name You --role admin --password</pre>
      </div>
    </Entrance>
  );
}

function Elsewhere({ returnTo, tenant }: { returnTo: string; tenant: string | undefined }) {
  const t = useT();
  const query = new URLSearchParams({ return_to: returnTo, ...(tenant !== undefined && { tenant }) });
  return (
    <>
      <div aria-hidden className="flex items-center gap-3 text-xs text-muted-foreground">
        <span className="h-px flex-1 bg-border" />
        {t("or")}
        <span className="h-px flex-1 bg-border" />
      </div>
      <a href={`/api/auth/oidc/start?${query}`} className={buttonVariants({ variant: "outline", size: "lg" })}>
        {t("oidc")}
      </a>
    </>
  );
}
