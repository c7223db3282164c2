import { useQuery } from "@tanstack/react-query";

import { api, data } from "@/api/client";
import { keys } from "@/api/queries";

export type SuggestionName = "tools" | "handlers" | "agents" | "skills" | "secrets" | "tenants" | "roles" | "categories" | "icons" | "permissions";

const MOST = 200;
const CATEGORIES = ["api", "code", "data", "search", "utility"];
const ICONS = ["wrench", "calculator", "mail", "search", "file-text", "database", "globe", "calendar", "image", "bot", "code", "chart-bar", "bell", "ticket", "users", "truck", "credit-card", "message-square"];

async function ask(name: SuggestionName, signal: AbortSignal): Promise<string[]> {
  const query = { limit: MOST };
  switch (name) {
    case "tools":
      return (await data(api.GET("/api/tools", { params: { query }, signal }))).items.map((tool) => tool.name);
    case "handlers": {
      const { items } = await data(api.GET("/api/tools", { params: { query: { ...query, origin: "code", kind: "builtin" } }, signal }));
      return items.map((tool) => tool.name);
    }
    case "agents":
      return (await data(api.GET("/api/agents", { params: { query }, signal }))).items.map((agent) => agent.handle);
    case "skills":
      return (await data(api.GET("/api/skills", { signal }))).items.map((skill) => skill.name);
    case "secrets":
      return [...new Set((await data(api.GET("/api/secrets", { signal }))).items.map((secret) => secret.name))];
    case "tenants":
      return (await data(api.GET("/api/tenants", { signal }))).items.map((tenant) => tenant.slug);
    case "roles":
      return (await data(api.GET("/api/roles", { signal }))).items.map((role) => role.name);
    case "permissions":
      return (await data(api.GET("/api/permissions", { signal }))).items.map((permission) => permission.name);
    case "categories": {
      const { items } = await data(api.GET("/api/tools", { params: { query }, signal }));
      return [...new Set([...CATEGORIES, ...items.map((tool) => tool.category ?? "")])].filter(Boolean).sort();
    }
    case "icons":
      return ICONS;
  }
}

/** Not everybody may list everything: then there is nothing to suggest, and one types the name. */
const NEEDS: Partial<Record<SuggestionName, string>> = {
  secrets: "secrets.user.update",
  tenants: "tenants.server.update",
  roles: "people.tenant.read",
  permissions: "people.tenant.read",
};

export function neededFor(name: SuggestionName): string | undefined {
  return NEEDS[name];
}

/** Names that could stand in a field. */
export function useSuggestions(name: SuggestionName | undefined, mayAsk: boolean): string[] {
  const { data: found } = useQuery({
    queryKey: [...keys.tools, "suggestions", name],
    queryFn: ({ signal }) => (name === undefined ? [] : ask(name, signal)),
    enabled: name !== undefined && mayAsk,
    staleTime: 60_000,
    retry: false,
  });
  return found ?? [];
}
