import { catalogue } from "@/app/i18n";
import en from "@/messages/en/dates.json";
import es from "@/messages/es/dates.json";

export const useT = catalogue({ en, es });
