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

/** The router reads numbers and truths out of an address; a code of digits only is a text all the same. */
export function loginSearch(search: Record<string, unknown>): LoginSearch {
  const known = LOGIN.map((name) => {
    const value = search[name];
    return [name, typeof value === "string" || typeof value === "number" ? String(value) : undefined];
  });
  return Object.fromEntries(known) as LoginSearch;
}
