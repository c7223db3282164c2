import { catalogue } from "@/app/i18n";
import en from "@/messages/en/who.json";
import es from "@/messages/es/who.json";

export const useT = catalogue({ en, es });
