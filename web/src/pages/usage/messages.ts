import { catalogue } from "@/app/i18n";
import en from "@/messages/en/usage.json";
import es from "@/messages/es/usage.json";

export const useT = catalogue({ en, es });
