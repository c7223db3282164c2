import { catalogue } from "@/app/i18n";
import en from "@/messages/en/invocations.json";
import es from "@/messages/es/invocations.json";

export const useT = catalogue({ en, es });
