import { catalogue } from "@/app/i18n";
import en from "@/messages/en/parts.json";
import es from "@/messages/es/parts.json";

export const useT = catalogue({ en, es });
