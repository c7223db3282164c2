import { UserMinus } from "lucide-react";

import type { Workspace } from "@/api/queries";
import { notify } from "@/app/notify";
import { Failed, Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";
import { Combobox } from "@/ui/combobox";
import { Field } from "@/ui/label";
import { Sheet, SheetBody, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "@/ui/sheet";

import { useT } from "../messages";
import { useChangePerson, type Person } from "../queries";

interface WorkspaceDrawerProps {
  workspace: Workspace;
  people: Person[];
  /** The people could not be asked for: then nobody can say who belongs to it. */
  error: Error | null;
  onRetry(): void;
  isLoading: boolean;
  mayChange: boolean;
  onClose(): void;
}

/** Who belongs to a team; people come and go with one click, and one more to undo it. */
export function WorkspaceDrawer({ workspace, people, error, onRetry, isLoading, mayChange, onClose }: WorkspaceDrawerProps) {
  const t = useT();
  const change = useChangePerson();
  const members = people.filter(({ workspaces }) => workspaces.includes(workspace.id));
  const others = people.filter(({ workspaces, status }) => !workspaces.includes(workspace.id) && status === "active");
  const set = (person: Person, workspaces: string[], message: string) =>
    change.mutate(
      { id: person.id, change: { workspaces } },
      { onSuccess: () => notify.done(message, { undo: () => change.mutate({ id: person.id, change: { workspaces: person.workspaces } }) }) },
    );
  const join = (id: string | undefined) => {
    const person = others.find((one) => one.id === id);
    if (person) set(person, [...person.workspaces, workspace.id], t("workspaces.joined", { name: person.name }));
  };
  const leave = (person: Person) => set(person, person.workspaces.filter((id) => id !== workspace.id), t("workspaces.left", { name: person.name }));
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <SheetContent>
        <SheetHeader>
          <SheetTitle>{workspace.name}</SheetTitle>
          <SheetDescription>
            <code className="font-mono text-xs">{workspace.slug}</code>
          </SheetDescription>
        </SheetHeader>
        <SheetBody className="grid content-start gap-4">
          {mayChange && !isLoading && !error && (
            <Field id="join" label={t("workspaces.join")}>
              <Combobox id="join" label={t("workspaces.join")} value={undefined} onChange={join} options={others.map(({ id, name, email }) => ({ value: id, label: name, detail: <span className="truncate text-xs text-muted-foreground">{email}</span> }))} />
            </Field>
          )}
          <h3 className="text-sm font-medium">{t("workspaces.column.members")}</h3>
          {error ? (
            <Failed error={error} onRetry={onRetry} />
          ) : isLoading ? (
            <Loading />
          ) : members.length === 0 ? (
            <p className="text-sm text-muted-foreground">{t("workspaces.nobody")}</p>
          ) : (
            <ul className="divide-y rounded-lg border">
              {members.map((person) => (
                <li key={person.id} className="flex items-center gap-3 px-3 py-2">
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{person.name}</span>
                    <span className="block truncate text-xs text-muted-foreground">{person.email}</span>
                  </span>
                  {mayChange && (
                    <Button variant="ghost" size="icon" aria-label={t("workspaces.leave", { name: person.name })} onClick={() => leave(person)}>
                      <UserMinus aria-hidden />
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
        </SheetBody>
      </SheetContent>
    </Sheet>
  );
}
