import { catalogue } from "@/app/i18n";
import en from "@/messages/en/providers.json";
import es from "@/messages/es/providers.json";

export const useT = catalogue({ en, es });
