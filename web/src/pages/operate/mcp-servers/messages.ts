import { catalogue } from "@/app/i18n";
import en from "@/messages/en/mcp-servers.json";
import es from "@/messages/es/mcp-servers.json";

export const useT = catalogue({ en, es });
