import { Archive, ArchiveRestore, EllipsisVertical, PencilLine } from "lucide-react";
import { useState } from "react";

import { Button } from "@/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/ui/dropdown";

import { useT } from "../messages";
import type { Thread } from "../queries";
import { RenameDialog } from "./RenameDialog";
import { useThreadActions } from "./useThreadActions";

/** What one can do with a thread of one's own. */
export function ThreadMenu({ thread }: { thread: Thread }) {
  const t = useT();
  const { archive, reopen } = useThreadActions();
  const [isRenaming, setIsRenaming] = useState(false);
  return (
    <>
      <Dropdown>
        <DropdownTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t("menu", { title: thread.title ?? t("untitled") })}>
            <EllipsisVertical aria-hidden />
          </Button>
        </DropdownTrigger>
        <DropdownContent align="end">
          <DropdownItem onSelect={() => setIsRenaming(true)}>
            <PencilLine aria-hidden />
            {t("rename")}
          </DropdownItem>
          {thread.archived_at ? (
            <DropdownItem onSelect={() => reopen(thread)}>
              <ArchiveRestore aria-hidden />
              {t("reopen")}
            </DropdownItem>
          ) : (
            <DropdownItem onSelect={() => archive(thread)}>
              <Archive aria-hidden />
              {t("archive")}
            </DropdownItem>
          )}
        </DropdownContent>
      </Dropdown>
      {isRenaming && <RenameDialog thread={thread} onClose={() => setIsRenaming(false)} />}
    </>
  );
}
