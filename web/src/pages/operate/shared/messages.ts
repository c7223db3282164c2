import { catalogue } from "@/app/i18n";
import en from "@/messages/en/operate.json";
import es from "@/messages/es/operate.json";

export const useT = catalogue({ en, es });
