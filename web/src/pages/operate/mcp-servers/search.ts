/** What an authorization server sends the browser back with. */
export interface LoginSearch {
  code?: string;
  state?: string;
  iss?: string;
  error?: string;
  error_description?: string;
}

export interface ServerSearch extends LoginSearch {
  change?: true;
}

const LOGIN = ["code", "state", "iss", "error", "error_description"] as const;

export function flag<Name extends string>(name: Name, value: unknown): { [Key in Name]?: true } {
  const isSet = value === true || value === "true" || value === 1;
  return (isSet ? { [name]: true } : {}) as { [Key in Name]?: true };
}

/** The router reads numbers and truths out of an address; a code of digits only is a text all the same. */
export function loginSearch(search: Record<string, unknown>): LoginSearch {
  const known = LOGIN.flatMap((name) => {
    const value = search[name];
    return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
  });
  return Object.fromEntries(known) as LoginSearch;
}
