import { catalogue } from "@/app/i18n";
import en from "@/messages/en/tools.json";
import es from "@/messages/es/tools.json";

export const useT = catalogue({ en, es });
export type Key = keyof typeof en;
export const hasMessage = (key: string): key is Key => key in en;
