import { catalogue } from "@/app/i18n";
import en from "@/messages/en/agents.json";
import es from "@/messages/es/agents.json";

export const useT = catalogue({ en, es });
export type Key = keyof typeof en;
export const hasMessage = (key: string): key is Key => key in en;
