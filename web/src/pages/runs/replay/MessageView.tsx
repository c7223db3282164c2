import { Folded } from "../Folded";

/** One message of the conversation, with who said it. */
export function MessageView({ role, text, isData = false }: { role: string; text: string; isData?: boolean }) {
  return (
    <section aria-label={role} className="min-w-0 border-l-2 border-input/40 pl-3">
      <h3 className="text-xs font-medium text-muted-foreground">{role}</h3>
      <Folded text={text} className={isData ? "font-mono text-xs" : undefined} />
    </section>
  );
}
