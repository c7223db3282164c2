import { Bell, BellOff } from "lucide-react";

import { notify } from "@/app/notify";
import { usePreference } from "@/app/preference";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { areNoticesOn, askForNotices, canShowNotices, notices } from "./desktop";

/** The browser asks for permission only because somebody clicked here. */
export function NoticesButton() {
  const t = useT();
  usePreference(notices);
  if (!canShowNotices()) return null;
  const isOn = areNoticesOn();
  const toggle = async () => {
    if (isOn) {
      notices.set("off");
      notify.info(t("notices.off.done"));
    } else if (await askForNotices()) notify.done(t("notices.on.done"));
    else notify.info(t("notices.denied"), { detail: t("notices.denied.detail") });
  };
  const Icon = isOn ? Bell : BellOff;
  return (
    <Button variant="outline" aria-pressed={isOn} onClick={() => void toggle()}>
      <Icon aria-hidden />
      {t(isOn ? "notices.on" : "notices.off")}
    </Button>
  );
}
