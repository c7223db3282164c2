import { catalogue } from "@/app/i18n";
import en from "@/messages/en/form.json";
import es from "@/messages/es/form.json";

export const useT = catalogue({ en, es });
