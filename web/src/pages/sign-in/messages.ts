import { catalogue } from "@/app/i18n";
import en from "@/messages/en/sign-in.json";
import es from "@/messages/es/sign-in.json";

export const useT = catalogue({ en, es });
