import { catalogue } from "@/app/i18n";
import en from "@/messages/en/policies.json";
import es from "@/messages/es/policies.json";

export const useT = catalogue({ en, es });
