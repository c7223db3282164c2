import { catalogue } from "@/app/i18n";
import en from "@/messages/en/diff.json";
import es from "@/messages/es/diff.json";

export const useT = catalogue({ en, es });
