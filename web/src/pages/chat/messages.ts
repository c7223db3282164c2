import { catalogue } from "@/app/i18n";
import en from "@/messages/en/chat.json";
import es from "@/messages/es/chat.json";

export const useT = catalogue({ en, es });
