import { catalogue } from "@/app/i18n";
import en from "@/messages/en/tool.json";
import es from "@/messages/es/tool.json";

export const useT = catalogue({ en, es });
