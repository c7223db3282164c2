import { catalogue } from "@/app/i18n";
import en from "@/messages/en/access.json";
import es from "@/messages/es/access.json";

export const useT = catalogue({ en, es });
export type Key = keyof typeof en;
export const hasMessage = (key: string): key is Key => key in en;
/** The permissions that the product itself asks for, in the order in which they are explained. */
export const KNOWN_PERMISSIONS = Object.keys(en)
  .filter((key) => key.startsWith("permission."))
  .map((key) => key.slice("permission.".length));
