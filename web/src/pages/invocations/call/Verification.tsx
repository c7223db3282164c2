import { useMutation } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";

import { Button } from "@/ui/button";

import { useT } from "../messages";
import { verifyAudit } from "../queries";

/** Receipts stand in a signed chain: checking one means checking the chain that holds it. */
export function Verification({ id, mayVerify }: { id: string; mayVerify: boolean }) {
  const t = useT();
  const verify = useMutation({ mutationFn: verifyAudit });
  if (!mayVerify) return <p className="text-sm text-muted-foreground">{t("verify.mayNot")}</p>;
  const found = verify.data?.finding;
  return (
    <div className="flex flex-col gap-2">
      <div role="status">
        {verify.data?.ok && (
          <p className="flex items-start gap-2 rounded-lg border border-good bg-good-soft px-3 py-2 text-sm text-good">
            <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t("verify.ok", { count: verify.data.receipts })}
          </p>
        )}
        {verify.data && !verify.data.ok && (
          <div className="flex items-start gap-2 rounded-lg border border-bad bg-bad-soft px-3 py-2 text-sm text-bad">
            <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <p className="min-w-0 break-words">
              {t(found?.record === id ? "verify.this" : "verify.other", { record: found?.record ?? "" })} {found?.explanation}
            </p>
          </div>
        )}
      </div>
      <Button variant="outline" size="sm" className="self-start" busy={verify.isPending} onClick={() => verify.mutate()}>
        {!verify.isPending && <ShieldCheck aria-hidden />}
        {t("verify")}
      </Button>
    </div>
  );
}
