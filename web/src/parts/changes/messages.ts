import { catalogue } from "@/app/i18n";
import en from "@/messages/en/changes.json";
import es from "@/messages/es/changes.json";

export const useT = catalogue({ en, es });
