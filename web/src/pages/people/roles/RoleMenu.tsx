import { Ellipsis, Pencil, Trash2 } from "lucide-react";

import { Button } from "@/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/ui/dropdown";

import { useT } from "../messages";
import type { Role } from "../queries";

export function RoleMenu({ role, onEdit, onDelete }: { role: Role; onEdit(role: Role): void; onDelete(role: Role): void }) {
  const t = useT();
  return (
    <Dropdown>
      <DropdownTrigger asChild>
        <Button variant="ghost" size="icon" className="size-6" aria-label={t("roles.actions", { name: role.name })}>
          <Ellipsis aria-hidden />
        </Button>
      </DropdownTrigger>
      <DropdownContent align="end">
        <DropdownItem onSelect={() => onEdit(role)}>
          <Pencil aria-hidden />
          {t("edit")}
        </DropdownItem>
        <DropdownItem destructive onSelect={() => onDelete(role)}>
          <Trash2 aria-hidden />
          {t("delete")}
        </DropdownItem>
      </DropdownContent>
    </Dropdown>
  );
}
