import en from "@/messages/en/app.json";
import es from "@/messages/es/app.json";

import { catalogue } from "./i18n";

export const messages = { en, es };
export const useT = catalogue(messages);
