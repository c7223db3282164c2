export interface Parameter {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** The top level of an input schema; a foreign server may have written anything at all. */
export function parametersOf(schema: unknown): Parameter[] {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown };
  if (typeof properties !== "object" || properties === null) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, of]) => {
    const { type, description } = (typeof of === "object" && of !== null ? of : {}) as { type?: unknown; description?: unknown };
    return {
      name,
      type: Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "",
      isRequired: needed.includes(name),
      description: typeof description === "string" ? description : "",
    };
  });
}
