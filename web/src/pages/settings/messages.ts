import { catalogue } from "@/app/i18n";
import en from "@/messages/en/settings.json";
import es from "@/messages/es/settings.json";

export const useT = catalogue({ en, es });
