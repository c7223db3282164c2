import { Ban, Check, EllipsisVertical, Hand, Scale, Trash2 } from "lucide-react";
import { useState } from "react";

import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { Dropdown, DropdownContent, DropdownItem, DropdownSeparator, DropdownTrigger } from "@/ui/dropdown";

import { useT } from "../messages";
import { reachOf, type ToolRow } from "./rows";
import type { ToolChanges } from "./useToolChanges";

/** The rest that can be done to one tool of the agent. */
export function RowMenu({ row, changes, isReachable, onExplain }: { row: ToolRow; changes: ToolChanges; isReachable: boolean; onExplain(): void }) {
  const t = useT();
  const [isAsking, setIsAsking] = useState(false);
  const reach = reachOf(row);
  return (
    <>
      <Dropdown>
        <DropdownTrigger asChild>
          <Button variant="ghost" size="icon" tabIndex={isReachable ? 0 : -1} aria-label={t("more.of", { tool: row.name })}>
            <EllipsisVertical aria-hidden />
          </Button>
        </DropdownTrigger>
        <DropdownContent align="end">
          <DropdownItem onSelect={onExplain}>
            <Scale aria-hidden />
            {t("explain")}
          </DropdownItem>
          {row.entry && (
            <DropdownItem onSelect={() => (reach === "denied" ? changes.allow(row) : changes.deny(row))}>
              {reach === "denied" ? <Check aria-hidden /> : <Ban aria-hidden />}
              {t(reach === "denied" ? "allow" : "deny")}
            </DropdownItem>
          )}
          {row.override && (
            <DropdownItem onSelect={() => setIsAsking(true)}>
              <Hand aria-hidden />
              {t("override.end")}
            </DropdownItem>
          )}
          {reach !== "category" && (
            <>
              <DropdownSeparator />
              <DropdownItem destructive onSelect={() => changes.takeAway(row)}>
                <Trash2 aria-hidden />
                {t(reach === "denied" ? "undeny" : "revoke")}
              </DropdownItem>
            </>
          )}
        </DropdownContent>
      </Dropdown>
      <Confirm
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("override.end.title", { tool: row.name })}
        action={t("override.end")}
        onConfirm={() => {
          setIsAsking(false);
          changes.askAgain(row);
        }}
      >
        {t("override.end.text")}
      </Confirm>
    </>
  );
}
