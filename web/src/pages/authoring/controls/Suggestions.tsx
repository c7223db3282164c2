import { useMe } from "@/app/session";

import { neededFor, useSuggestions, type SuggestionName } from "./names";

/** The browser's own list of suggestions below a box; anything else can be typed. */
export function Suggestions({ id, name }: { id: string; name: SuggestionName }) {
  const me = useMe();
  const needed = neededFor(name);
  const names = useSuggestions(name, needed === undefined || me.may(needed));
  return (
    <datalist id={id}>
      {names.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
