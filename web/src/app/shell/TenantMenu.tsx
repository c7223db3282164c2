import { useRouter } from "@tanstack/react-router";
import { ArrowLeftRight, Building2, ChevronsUpDown, LogIn } from "lucide-react";

import { Dropdown, DropdownContent, DropdownItem, DropdownLabel, DropdownRadioGroup, DropdownRadioItem, DropdownSeparator, DropdownTrigger } from "@/ui/dropdown";

import { useT } from "../messages";
import { useMe, useSwitchTenant } from "../session";
import { useWorkspace } from "../workspace";
import { Logo } from "./Logo";

/** A session belongs to one tenant, so another tenant is another sign-in, and then a switch. The workspace is a choice of this browser. */
export function TenantMenu() {
  const t = useT();
  const me = useMe();
  const router = useRouter();
  const switchTo = useSwitchTenant();
  const { all, current, choose } = useWorkspace();
  const others = me.tenants.filter((tenant) => !tenant.current);
  const name = current ? `${me.tenant_name} / ${current.name}` : me.tenant_name;
  return (
    <Dropdown>
      <DropdownTrigger aria-label={t("tenant.label", { name })} className="flex h-9 w-full min-w-0 items-center gap-2 rounded-md px-1.5 text-left hover:bg-accent max-md:h-11">
        <Logo />
        <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      </DropdownTrigger>
      <DropdownContent align="start" className="w-60">
        <DropdownLabel>{t("tenant.current")}</DropdownLabel>
        <DropdownItem disabled className="data-[disabled]:opacity-100">
          <Building2 aria-hidden />
          <span className="truncate">{me.tenant_name}</span>
        </DropdownItem>
        {others.map((tenant) => (
          <DropdownItem key={tenant.slug} onSelect={() => switchTo.mutate(tenant.slug)}>
            <ArrowLeftRight aria-hidden />
            <span className="truncate">{tenant.name}</span>
          </DropdownItem>
        ))}
        <DropdownItem onSelect={() => void router.navigate({ to: "/sign-in", search: { tenant: "" } })}>
          <LogIn aria-hidden />
          {t("tenant.other")}
        </DropdownItem>
        {all.length > 0 && (
          <>
            <DropdownSeparator />
            <DropdownLabel>{t("workspace.current")}</DropdownLabel>
            <DropdownRadioGroup value={current?.id ?? ""} onValueChange={(id) => choose(id === "" ? undefined : id)}>
              <DropdownRadioItem value="">{t("workspace.all")}</DropdownRadioItem>
              {all.map((workspace) => (
                <DropdownRadioItem key={workspace.id} value={workspace.id}>
                  <span className="truncate">{workspace.name}</span>
                </DropdownRadioItem>
              ))}
            </DropdownRadioGroup>
          </>
        )}
      </DropdownContent>
    </Dropdown>
  );
}
