import { isObject } from "../../json/values";
import { evaluated, expression, fits, type Schema } from "./compile";
import type { Checks } from "./keywords";
import { shown, sortedKeys, spelt } from "./spelling";

function quoted(names: string[]): string {
  const verb = names.length === 1 ? "was" : "were";
  return `(${names.map((name) => `'${name}'`).join(", ")} ${verb} unexpected)`;
}

function matching(schema: Schema, name: string): unknown[] {
  const patterns = isObject(schema["patternProperties"]) ? schema["patternProperties"] : {};
  return sortedKeys(patterns)
    .filter((pattern) => expression(pattern)?.test(name))
    .map((pattern) => patterns[pattern]);
}

function declared(schema: Schema): Record<string, unknown> {
  return isObject(schema["properties"]) ? schema["properties"] : {};
}

/** The keyword that looks at all members at once, where there is one. */
function isClosed(schema: Schema): boolean {
  return schema["additionalProperties"] === false || isObject(schema["additionalProperties"]);
}

/** Keywords that judge the members of an object and the items of a list. */
export const members: Checks = {
  required: ({ instance }, required, _, complain) => {
    if (!isObject(instance) || !Array.isArray(required)) return;
    for (const name of required) if (!has(instance, String(name))) complain(`${spelt(name)} is a required property`);
  },
  dependentRequired: ({ instance }, dependents, _, complain) => {
    if (!isObject(instance) || !isObject(dependents)) return;
    for (const trigger of sortedKeys(dependents).filter((name) => has(instance, name))) {
      const names = dependents[trigger];
      if (!Array.isArray(names)) continue;
      for (const name of names) if (!has(instance, String(name))) complain(`${spelt(name)} is a required property`);
    }
  },
  properties: ({ schema, instance }, _, descend) => {
    if (!isObject(instance) || isClosed(schema)) return;
    const known = declared(schema);
    for (const name of sortedKeys(instance)) if (has(known, name)) descend(known[name], instance[name], name);
  },
  patternProperties: ({ schema, instance }, _, descend) => {
    if (!isObject(instance) || isClosed(schema)) return;
    for (const name of sortedKeys(instance)) {
      for (const inner of matching(schema, name)) descend(inner, instance[name], name);
    }
  },
  additionalProperties: ({ schema, instance }, additional, descend, complain) => {
    if (!isObject(instance) || !isClosed(schema)) return;
    const known = declared(schema);
    const isBare = schema["properties"] === undefined && schema["patternProperties"] === undefined;
    const unexpected: string[] = [];
    for (const name of sortedKeys(instance)) {
      const own = has(known, name);
      const patterns = matching(schema, name);
      if (own) descend(known[name], instance[name], name);
      for (const inner of patterns) descend(inner, instance[name], name);
      if (own || patterns.length > 0) continue;
      if (additional === false) unexpected.push(name);
      else descend(additional, instance[name], name);
    }
    if (unexpected.length === 0) return;
    if (isBare) complain(`False schema does not allow ${shown(instance[unexpected[0] ?? ""])}`);
    else complain(`Additional properties are not allowed ${quoted(unexpected)}`);
  },
  propertyNames: ({ instance }, names, descend, complain) => {
    if (!isObject(instance)) return;
    const keys = sortedKeys(instance);
    if (names === false && keys.length > 0) complain(`False schema does not allow ${shown(instance)}`);
    else for (const name of keys) descend(names, name);
  },
  items: ({ schema, compiled, instance }, items, descend) => {
    if (!Array.isArray(instance)) return;
    if (Array.isArray(items)) {
      items.forEach((inner, index) => {
        if (index < instance.length) descend(inner, instance[index], index);
      });
      return;
    }
    const skipped = compiled.draft !== "7" && Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].length : 0;
    instance.slice(skipped).forEach((item, index) => descend(items, item, index + skipped));
  },
  prefixItems: ({ instance }, prefix, descend) => {
    if (!Array.isArray(instance) || !Array.isArray(prefix)) return;
    prefix.slice(0, instance.length).forEach((inner, index) => descend(inner, instance[index], index));
  },
  additionalItems: ({ schema, instance }, additional, descend, complain) => {
    const items = schema["items"];
    if (!Array.isArray(instance) || !Array.isArray(items)) return;
    const rest = instance.slice(items.length);
    if (additional !== false) rest.forEach((item, index) => descend(additional, item, index + items.length));
    else if (rest.length > 0) {
      const verb = rest.length === 1 ? "was" : "were";
      complain(`Additional items are not allowed (${rest.map(spelt).join(", ")} ${verb} unexpected)`);
    }
  },
  contains: ({ schema, compiled, instance }, contains, _, complain) => {
    if (!Array.isArray(instance)) return;
    const { minContains, maxContains } = schema as { minContains?: number; maxContains?: number };
    const found = instance.filter((item) => fits(compiled, contains, item)).length;
    const isBounded = compiled.draft !== "7";
    const least = isBounded ? (minContains ?? 1) : 1;
    const most = isBounded ? (maxContains ?? Infinity) : Infinity;
    if (found < least || found > most) complain(`None of ${shown(instance)} are valid under the given schema`);
  },
  unevaluatedProperties: ({ compiled, schema, instance }, rest, _, complain) => {
    if (!isObject(instance) || compiled.draft === "7") return;
    const seen = evaluated(compiled, schema, instance);
    const unexpected = sortedKeys(instance).filter((name) => !seen[name] && !fits(compiled, rest, instance[name]));
    if (unexpected.length > 0) complain(`Unevaluated properties are not allowed ${quoted(unexpected)}`);
  },
  unevaluatedItems: ({ compiled, schema, instance }, rest, _, complain) => {
    if (!Array.isArray(instance) || compiled.draft === "7") return;
    const seen = evaluated(compiled, schema, instance);
    const unexpected = instance.filter((item, index) => !seen[index] && !fits(compiled, rest, item));
    if (unexpected.length > 0) complain(`Unevaluated items are not allowed ${quoted(unexpected.map(spelt))}`);
  },
};

function has(object: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
}
