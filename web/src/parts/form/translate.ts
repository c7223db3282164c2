import { englishStringTranslator, TranslatableString, type Registry } from "@rjsf/utils";
import { useCallback } from "react";

import { useT } from "./messages";

/** The library's own words that we let it show. */
export function useTranslateString(): Registry["translateString"] {
  const t = useT();
  return useCallback(
    (text, params = []) => {
      const [first = "", second = ""] = params;
      switch (text) {
        case TranslatableString.YesLabel:
          return t("yes");
        case TranslatableString.NoLabel:
          return t("no");
        case TranslatableString.OptionPrefix:
          return t("option", { number: first });
        case TranslatableString.TitleOptionPrefix:
          return `${first}: ${t("option", { number: second })}`;
        case TranslatableString.DeprecatedLabel:
          return t("deprecated", { label: first });
        case TranslatableString.ArrayItemTitle:
          return t("item", { label: "", number: "" }).trim();
        case TranslatableString.AddButton:
        case TranslatableString.ExpandButton:
          return t("add");
        default:
          return englishStringTranslator(text, params);
      }
    },
    [t],
  );
}
