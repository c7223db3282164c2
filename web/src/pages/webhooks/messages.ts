import { catalogue } from "@/app/i18n";
import en from "@/messages/en/webhooks.json";
import es from "@/messages/es/webhooks.json";

export const useT = catalogue({ en, es });
