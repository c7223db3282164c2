import { catalogue } from "@/app/i18n";
import en from "@/messages/en/keys.json";
import es from "@/messages/es/keys.json";

export const useT = catalogue({ en, es });
