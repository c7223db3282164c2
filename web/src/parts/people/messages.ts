import { catalogue } from "@/app/i18n";
import en from "@/messages/en/people.json";
import es from "@/messages/es/people.json";

export const useT = catalogue({ en, es });
