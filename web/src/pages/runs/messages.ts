import { catalogue } from "@/app/i18n";
import en from "@/messages/en/runs.json";
import es from "@/messages/es/runs.json";

export const useT = catalogue({ en, es });
