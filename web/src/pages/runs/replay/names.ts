import { useT } from "../messages";
import type { Moment } from "./moments";

/** What a moment is called: “Turn 2”. */
export function useMomentName(): (moment: Moment) => string {
  const t = useT();
  return (moment) => (moment.kind === "turn" ? t("turn", { number: moment.number }) : t(`moment.${moment.kind}`));
}

/** What happened in it, in a few words. */
export function useMomentDetail(): (moment: Moment) => string {
  const t = useT();
  return (moment) => {
    if (moment.kind === "begin") return moment.begin.message;
    if (moment.kind === "end") return moment.run.response ?? moment.run.error?.message ?? "";
    const names = moment.asked.map(({ wish, call }) => call?.tool_name ?? wish?.name ?? "");
    return names.length > 0 ? t("asksFor", { names: names.join(", ") }) : (moment.kept.turn.text ?? "");
  };
}
