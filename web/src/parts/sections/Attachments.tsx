import { useQuery } from "@tanstack/react-query";
import { Download, FileIcon } from "lucide-react";

import { request, type Schemas } from "@/api/client";
import { useLanguage } from "@/app/i18n";

import { bytes } from "../time/format";
import { useT } from "./messages";
import { readTable } from "./preview";
import { TableSection } from "./TableSection";

type Attachment = Schemas["Attachment"];

/** A larger file is only linked. */
const MAX_PREVIEW_BYTES = 5_000_000;

export function Attachments({ attachments }: { attachments: Attachment[] }) {
  const t = useT();
  if (attachments.length === 0) return null;
  return (
    <section aria-label={t("attachments")} className="flex flex-col gap-3">
      <h3 className="text-sm font-medium">{t("attachments")}</h3>
      {attachments.map((attachment) => (
        <AttachmentView key={attachment.url} attachment={attachment} />
      ))}
    </section>
  );
}

function AttachmentView({ attachment }: { attachment: Attachment }) {
  const t = useT();
  const language = useLanguage();
  const { url, kind, content_type: type, bytes: size } = attachment;
  const isSmall = (size ?? 0) <= MAX_PREVIEW_BYTES;
  const isImage = kind === "image" || (type?.startsWith("image/") ?? false);
  const isData = kind === "table" || type === "text/csv" || type === "application/json";
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-lg border border-border p-3">
      <a href={url} download className="flex min-h-11 items-center gap-2 text-sm text-link md:min-h-6">
        <FileIcon aria-hidden className="size-4" />
        <span className="min-w-0 truncate">{[type ?? t("attachment"), size === null || size === undefined ? "" : bytes(size, language)].filter(Boolean).join(" · ")}</span>
        <Download aria-hidden className="size-4" />
        <span className="sr-only">{t("download")}</span>
      </a>
      {isImage && isSmall && <img src={url} alt={t("image")} loading="lazy" className="max-h-96 max-w-full self-start rounded-md border border-border" />}
      {isData && isSmall && <TablePreview url={url} type={type ?? ""} />}
    </div>
  );
}

function TablePreview({ url, type }: { url: string; type: string }) {
  const t = useT();
  const { data: rows, isPending, isError } = useQuery({
    queryKey: ["blobs", url],
    queryFn: async ({ signal }) => readTable(await (await request(url, { signal })).text(), type),
    staleTime: Infinity,
    retry: false,
  });
  if (isPending) return <p className="text-sm text-muted-foreground">{t("loading")}</p>;
  if (isError) return <p className="text-sm text-muted-foreground">{t("previewFailed")}</p>;
  return rows.length > 0 ? <TableSection rows={rows} label={t("attachment")} /> : null;
}
