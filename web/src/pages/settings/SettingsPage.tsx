import { useQuery } from "@tanstack/react-query";

import { settingsQuery } from "@/api/queries";
import { Page } from "@/parts/page/Page";
import { Failed, Loading } from "@/parts/states/states";

import { useT } from "./messages";
import { SettingsForm } from "./SettingsForm";

/** What the tenant decides for itself: how often, how much, and how far its agents may go. */
export function SettingsPage() {
  const t = useT();
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  return (
    <Page title={t("title")} lead={t("lead")} width="reading">
      {error && !settings ? <Failed error={error} onRetry={() => void refetch()} /> : settings ? <SettingsForm settings={settings} /> : <Loading />}
    </Page>
  );
}
