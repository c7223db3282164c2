export interface ListSearch {
  /** Part of a title. */
  find?: string;
  archived?: true;
}

export interface ChatSearch extends ListSearch {
  /** The agent that is chosen for a new chat, by handle. */
  agent?: string;
  /** On a phone, where there is room for either the list or a new chat. */
  new?: true;
}

export interface ThreadSearch extends ListSearch {
  /** The run whose timeline is shown; none: the last. */
  run?: string;
}

export function parseList(search: Record<string, unknown>): ListSearch {
  return {
    ...(typeof search.find === "string" && search.find !== "" ? { find: search.find } : {}),
    ...(search.archived === true ? { archived: true as const } : {}),
  };
}

export function parseChat(search: Record<string, unknown>): ChatSearch {
  return {
    ...parseList(search),
    ...(typeof search.agent === "string" ? { agent: search.agent } : {}),
    ...(search.new === true ? { new: true as const } : {}),
  };
}

export function parseThread(search: Record<string, unknown>): ThreadSearch {
  return { ...parseList(search), ...(typeof search.run === "string" ? { run: search.run } : {}) };
}
