import type { Complain, Descend, Place } from "./complain";
import { composition } from "./keywords-composition";
import { members } from "./keywords-members";
import { values } from "./keywords-values";
import { shown } from "./spelling";

export type Check = (place: Place, value: unknown, descend: Descend, complain: Complain) => void;
export type Checks = Record<string, Check>;

/** The server runs the cheap checks first; complaints stand in that order. */
const ORDER = [
  "type",
  "const",
  "enum",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "required",
  "dependentRequired",
  "pattern",
  "format",
  "contentEncoding",
  "contentMediaType",
  "uniqueItems",
  "properties",
  "patternProperties",
  "additionalProperties",
  "propertyNames",
  "items",
  "prefixItems",
  "additionalItems",
  "contains",
  "dependencies",
  "dependentSchemas",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "unevaluatedProperties",
  "unevaluatedItems",
] as const;

const checks: Checks = { ...values, ...members, ...composition };

export const KEYWORDS = {
  ordered: ORDER.flatMap((keyword): [string, Check][] => {
    const check = checks[keyword];
    return check ? [[keyword, check]] : [];
  }),
  falseSchema: (instance: unknown) => `False schema does not allow ${shown(instance)}`,
};
