import { flag, text } from "@/parts/search/params";

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
  return { find: text(search.find), archived: flag(search.archived) };
}

export function parseChat(search: Record<string, unknown>): ChatSearch {
  return { ...parseList(search), agent: text(search.agent), new: flag(search.new) };
}

export function parseThread(search: Record<string, unknown>): ThreadSearch {
  return { ...parseList(search), run: text(search.run) };
}
