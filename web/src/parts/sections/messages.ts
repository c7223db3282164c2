import { catalogue } from "@/app/i18n";
import en from "@/messages/en/sections.json";
import es from "@/messages/es/sections.json";

export const useT = catalogue({ en, es });
