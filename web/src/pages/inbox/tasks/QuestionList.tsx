import { ExternalLink } from "lucide-react";

import { JsonTree } from "@/parts/json/JsonTree";

import { useT } from "../messages";
import { messageOf, urlOf, type Questions } from "./answers";

/** What the tool asks besides its forms: pages to visit, and what only programs are asked. */
export function QuestionList({ questions }: { questions: Questions }) {
  const t = useT();
  const others = Object.entries(questions).filter(([, { kind }]) => kind !== "elicitation");
  if (others.length === 0) return null;
  return (
    <ul className="flex flex-col gap-3">
      {others.map(([name, { kind, params }]) => {
        const url = urlOf(params);
        return (
          <li key={name} className="flex min-w-0 flex-col gap-1.5 rounded-lg border p-3 text-sm">
            <span className="font-medium">{messageOf(params) ?? name}</span>
            {url !== undefined && (
              <a href={url} target="_blank" rel="noopener noreferrer" className="inline-flex items-center gap-1.5 break-all text-link hover:underline max-md:min-h-11">
                {url}
                <ExternalLink aria-hidden className="size-3.5 shrink-0" />
              </a>
            )}
            {kind !== "elicitation_url" && <JsonTree value={params} label={t(`question.${kind === "roots" ? "roots" : "sampling"}`)} maxHeightPx={180} />}
          </li>
        );
      })}
    </ul>
  );
}
