import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { SlidersHorizontal } from "lucide-react";

import { profilesQuery } from "@/api/every";
import type { Agent } from "@/api/queries";
import { useLanguage, type Language } from "@/app/i18n";
import { PathLink } from "@/app/PathLink";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { cost, duration } from "@/parts/time/format";
import { Badge } from "@/ui/badge";
import { buttonVariants } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import { assignmentsQuery, type Profile } from "../queries";

/** Which profiles hold for this agent, what each demands, and for which of its tools. */
export function Profiles({ agent }: { agent: Agent }) {
  const t = useT();
  const profiles = useQuery(profilesQuery);
  const assignments = useQuery(assignmentsQuery(agent.id));
  const error = profiles.error ?? assignments.error;
  const retry = () => void Promise.all([profiles.refetch(), assignments.refetch()]);
  if (!profiles.data || !assignments.data) return error ? <Failed error={error} onRetry={retry} /> : <Loading />;
  const manage = (
    <PathLink path="/operate/profiles" className={buttonVariants({ variant: "outline" })}>
      {t("profiles.manage")}
    </PathLink>
  );
  if (profiles.data.length === 0) {
    return (
      <Empty icon={SlidersHorizontal} title={t("profiles.none.title")} action={manage}>
        <p>{t("profiles.none.text")}</p>
        <p className="pt-2">
          <code>toolgate profile create careful --requires-approval --rate-limit 30/60</code>
        </p>
      </Empty>
    );
  }
  const toolsOf = (profile: Profile) => assignments.data.filter(({ profile_id: id, allowed }) => allowed && id === profile.id).map(({ tool }) => tool);
  const used = profiles.data.filter((profile) => toolsOf(profile).length > 0);
  const others = profiles.data.filter((profile) => toolsOf(profile).length === 0);
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-3xl min-w-0 basis-96 text-sm text-muted-foreground">{t("profiles.text")}</p>
        {manage}
      </div>
      {used.length === 0 && (
        <p className="rounded-lg border border-dashed p-4 text-sm">
          {t("profiles.unused", { name: agent.display_name })}{" "}
          <Link to="/agents/$id" params={{ id: agent.id }} search={{ tab: "tools", section: "assignments" }} className="text-link underline underline-offset-2">
            {t("profiles.choose")}
          </Link>
        </p>
      )}
      <ul className="grid gap-4 md:grid-cols-2" aria-label={t("section.profiles")}>
        {[...used, ...others].map((profile) => (
          <li key={profile.id} className="min-w-0">
            <ProfileCard profile={profile} tools={toolsOf(profile)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ProfileCard({ profile, tools }: { profile: Profile; tools: string[] }) {
  const t = useT();
  const language = useLanguage();
  const terms = termsOf(profile, t, language);
  return (
    <Card className="h-full">
      <CardHeader>
        <CardTitle className="mr-auto min-w-0 truncate">{profile.name}</CardTitle>
        <Badge tone={tools.length > 0 ? "good" : "outline"}>{t("profile.tools", { count: tools.length })}</Badge>
      </CardHeader>
      <CardContent className="grid gap-3 text-sm">
        {profile.description && <p className="break-words text-muted-foreground">{profile.description}</p>}
        <ul className="grid list-disc gap-1 pl-4">
          {terms.map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
        {tools.length > 0 && (
          <p className="flex flex-wrap gap-1">
            {tools.map((tool) => (
              <Badge key={tool} tone="outline">
                <span className="truncate">{tool}</span>
              </Badge>
            ))}
          </p>
        )}
      </CardContent>
    </Card>
  );
}

/** What a profile demands, a sentence each. */
function termsOf(profile: Profile, t: ReturnType<typeof useT>, language: Language): string[] {
  const terms = [
    profile.requires_approval === true && t("terms.asks"),
    (profile.approval?.quorum ?? 1) > 1 && t("terms.quorum", { count: profile.approval?.quorum ?? 1 }),
    profile.cost_limit != null && t("terms.cost", { amount: cost(profile.cost_limit, language) }),
    profile.rate_limit != null && t("terms.rate", { count: profile.rate_limit.limit, time: duration(profile.rate_limit.window_s * 1_000, language) }),
    profile.rate_limit?.concurrency != null && t("terms.concurrency", { count: profile.rate_limit.concurrency }),
    profile.timeout_ms != null && t("terms.timeout", { time: duration(profile.timeout_ms, language) }),
  ].filter((term) => typeof term === "string");
  return terms.length === 0 ? [t("terms.none")] : terms;
}
