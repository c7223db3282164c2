import { catalogue } from "@/app/i18n";
import en from "@/messages/en/ui.json";
import es from "@/messages/es/ui.json";

export const useT = catalogue({ en, es });
