import { catalogue } from "@/app/i18n";
import en from "@/messages/en/inbox.json";
import es from "@/messages/es/inbox.json";

export const useT = catalogue({ en, es });
