import { catalogue } from "@/app/i18n";
import en from "@/messages/en/audit.json";
import es from "@/messages/es/audit.json";

export const useT = catalogue({ en, es });
