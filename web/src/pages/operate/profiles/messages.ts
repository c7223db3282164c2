import { catalogue } from "@/app/i18n";
import en from "@/messages/en/profiles.json";
import es from "@/messages/es/profiles.json";

export const useT = catalogue({ en, es });
