import { catalogue } from "@/app/i18n";
import en from "@/messages/en/decision.json";
import es from "@/messages/es/decision.json";

export const useT = catalogue({ en, es });
