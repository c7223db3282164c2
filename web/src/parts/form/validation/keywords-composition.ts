import { isObject } from "../../json/values";
import { fits } from "./compile";
import type { Checks } from "./keywords";
import { shown, sortedKeys, spelt } from "./spelling";

/** Keywords that put schemas together. */
export const composition: Checks = {
  allOf: ({ instance }, branches, descend) => {
    if (Array.isArray(branches)) for (const branch of branches) descend(branch, instance);
  },
  anyOf: ({ compiled, instance }, branches, _, complain) => {
    if (!Array.isArray(branches) || branches.some((branch) => fits(compiled, branch, instance))) return;
    complain(`${shown(instance)} is not valid under any of the schemas listed in the 'anyOf' keyword`);
  },
  oneOf: ({ compiled, instance }, branches, _, complain) => {
    if (!Array.isArray(branches)) return;
    const count = branches.filter((branch) => fits(compiled, branch, instance)).length;
    if (count === 0) complain(`${shown(instance)} is not valid under any of the schemas listed in the 'oneOf' keyword`);
    if (count > 1) complain(`${shown(instance)} is valid under more than one of the schemas listed in the 'oneOf' keyword`);
  },
  not: ({ compiled, instance }, schema, _, complain) => {
    if (fits(compiled, schema, instance)) complain(`${spelt(schema)} is not allowed for ${shown(instance)}`);
  },
  if: ({ compiled, schema, instance }, condition, descend) => {
    const branch = fits(compiled, condition, instance) ? schema["then"] : schema["else"];
    if (branch !== undefined) descend(branch, instance);
  },
  dependentSchemas: ({ instance }, dependents, descend) => {
    if (!isObject(instance) || !isObject(dependents)) return;
    for (const name of sortedKeys(dependents)) if (name in instance) descend(dependents[name], instance);
  },
  dependencies: ({ instance }, dependents, descend) => {
    if (!isObject(instance) || !isObject(dependents)) return;
    for (const name of sortedKeys(dependents).filter((key) => key in instance)) {
      const needed = dependents[name];
      descend(Array.isArray(needed) ? { required: needed } : needed, instance);
    }
  },
};
