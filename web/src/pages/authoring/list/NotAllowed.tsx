import { Problem } from "@/api/problem";
import { Failed } from "@/parts/states/states";

import { useT } from "../messages";

/** For those who may look at tools and not write them. The server says the same. */
export function NotAllowed() {
  const t = useT();
  return <Failed error={new Problem(403, { code: "FORBIDDEN", title: "", detail: t("notAllowed") })} />;
}
