import { catalogue } from "@/app/i18n";
import en from "@/messages/en/secrets.json";
import es from "@/messages/es/secrets.json";

export const useT = catalogue({ en, es });
