import { CircleCheck, CircleDashed, CircleX, Plus, X } from "lucide-react";

import { Button } from "@/ui/button";
import { Textarea } from "@/ui/input";

import { flawAt } from "./flaws";
import { useT } from "./messages";
import type { RuleCardProps } from "./RuleCard";

type Props = Pick<RuleCardProps, "rule" | "index" | "check" | "unreadable" | "onChange">;
const KINDS = ["match", "no_match"] as const;

/** The calls by which a rule proves itself: each is a check that the server makes. */
export function ExamplesField(props: Props) {
  const t = useT();
  const flaw = flawAt(props.check.flaws, `rules[${String(props.index)}].examples`);
  return (
    <section className="grid gap-2" aria-label={t("examples.title")}>
      <h3 className="text-sm font-medium">{t("examples.title")}</h3>
      <p className="text-xs text-muted-foreground">{t("examples.help")}</p>
      {flaw !== undefined && (
        <p role="alert" className="text-xs break-words text-bad">
          {flaw}
        </p>
      )}
      <div className="grid gap-4 md:grid-cols-2">
        {KINDS.map((kind) => (
          <ExampleList key={kind} kind={kind} {...props} />
        ))}
      </div>
    </section>
  );
}

function ExampleList({ kind, rule, index, check, unreadable, onChange }: Props & { kind: (typeof KINDS)[number] }) {
  const t = useT();
  const texts = rule[kind];
  const put = (next: string[]) => onChange({ ...rule, [kind]: next });
  return (
    <div className="grid content-start gap-2">
      <h4 className="text-xs font-medium text-muted-foreground">{t(`examples.${kind}`)}</h4>
      <ul className="grid gap-2">
        {texts.map((text, number) => {
          const place = `rules[${String(index)}].examples.${kind}[${String(number)}]`;
          const broken = unreadable.find((one) => one.place === place);
          const wrong = broken ? t("examples.unreadable", { reason: broken.reason }) : flawAt(check.flaws, place);
          const error = `${rule.key}-${kind}-${String(number)}-error`;
          return (
            <li key={number} className="grid gap-1">
              <div className="flex items-start gap-1.5">
                <Mark isWrong={wrong !== undefined} isGood={check.isGood} />
                <Textarea
                  aria-label={t(`examples.item.${kind}`, { number: number + 1 })}
                  aria-invalid={wrong !== undefined}
                  aria-describedby={wrong === undefined ? undefined : error}
                  value={text}
                  rows={Math.min(8, Math.max(1, text.split("\n").length))}
                  className="min-h-8 font-mono text-xs"
                  spellCheck={false}
                  onChange={(event) => put(texts.map((old, at) => (at === number ? event.target.value : old)))}
                />
                <Button variant="ghost" size="icon" aria-label={t("examples.remove", { number: number + 1 })} onClick={() => put(texts.filter((_, at) => at !== number))}>
                  <X aria-hidden />
                </Button>
              </div>
              {wrong !== undefined && (
                <p id={error} role="alert" className="pl-6 text-xs break-words text-bad">
                  {wrong}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      <Button variant="outline" size="sm" className="justify-self-start" onClick={() => put([...texts, "{}"])}>
        <Plus aria-hidden />
        {t(`examples.add.${kind}`)}
      </Button>
    </div>
  );
}

function Mark({ isWrong, isGood }: { isWrong: boolean; isGood: boolean }) {
  const t = useT();
  const [Icon, color, word] = isWrong ? ([CircleX, "text-bad", "examples.fails"] as const) : isGood ? ([CircleCheck, "text-good", "examples.holds"] as const) : ([CircleDashed, "text-muted-foreground", "examples.open"] as const);
  return (
    <span className={`mt-2 shrink-0 ${color}`} title={t(word)}>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{t(word)}</span>
    </span>
  );
}
