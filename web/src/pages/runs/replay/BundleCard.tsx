import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";

import { request } from "@/api/client";
import { notify } from "@/app/notify";
import { CopyButton } from "@/parts/copy/CopyButton";
import { save } from "@/parts/sections/save";
import { Button } from "@/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "../messages";
import type { Run } from "../types";

const DIGEST_SHOWN = 12;

/** The run in one file, and how to go through it again elsewhere. */
export function BundleCard({ run }: { run: Run }) {
  const t = useT();
  const file = `${run.id}.json`;
  const download = useMutation({
    mutationFn: async () => {
      const text = await (await request(`/api/runs/${run.id}/bundle`)).text();
      const { digest } = JSON.parse(text) as { digest?: string };
      return { text, digest: digest ?? "" };
    },
    onSuccess({ text, digest }) {
      save(text, file, "application/json");
      notify.done(t("bundle.saved", { file }), { detail: t("bundle.digest", { digest: digest.slice(0, DIGEST_SHOWN) }) });
    },
  });
  const commands = [
    { says: t("bundle.replay"), text: `toolgate run replay ${file}` },
    { says: t("bundle.live"), text: `toolgate run replay ${file} --live-model` },
    { says: t("bundle.diff"), text: `toolgate run diff ${file} ${run.id}` },
  ];
  return (
    <Card>
      <CardHeader>
        <CardTitle className="mr-auto">{t("bundle")}</CardTitle>
        <Button variant="outline" size="sm" busy={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden />
          {t("bundle.download")}
        </Button>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        <p className="text-sm text-muted-foreground">{t("bundle.text")}</p>
        <ul className="flex flex-col gap-2">
          {commands.map(({ says, text }) => (
            <li key={text} className="flex flex-col gap-1">
              <span className="text-xs text-muted-foreground">{says}</span>
              <span className="flex items-center gap-1 rounded-md bg-muted pl-3">
                {/* It scrolls, so a keyboard must be able to get into it. */}
                {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
                <code tabIndex={0} className="min-w-0 flex-1 overflow-x-auto py-2 font-mono text-xs whitespace-nowrap">
                  {text}
                </code>
                <CopyButton text={text} label={`${t("copyCommand")}: ${says}`} />
              </span>
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
