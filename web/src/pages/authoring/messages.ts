import { catalogue } from "@/app/i18n";
import en from "@/messages/en/authoring.json";
import es from "@/messages/es/authoring.json";

export const useT = catalogue({ en, es });
export type Key = Parameters<ReturnType<typeof useT>>[0];
