// The policy that somebody edits. It outlives a reload and a look at another page, but not the tab: nothing holds until it is put in force.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { asProblem } from "@/api/problem";
import { useMe } from "@/app/session";

import { asDocument, draftOf, nextKey, settled, spelled, toDocument, type PolicyDocument, type RuleDraft } from "./document";
import { flawsIn, type Flaw } from "./flaws";
import { checkQuery, type PolicyVersion } from "./queries";

interface Kept {
  /** The version that was in force when somebody began; empty for none. */
  base: string;
  rules: RuleDraft[];
}

const SETTLE_MS = 400;

function kept(key: string): Kept | undefined {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? "null") as Kept | null;
    return found ? { ...found, rules: found.rules.map((rule) => ({ ...rule, key: nextKey() })) } : undefined;
  } catch {
    return undefined;
  }
}

export function useDraft(inForce: PolicyVersion | undefined) {
  const { tenant } = useMe();
  const storageKey = `toolgate.policy-draft.${tenant}`;
  const version = inForce?.version ?? "";
  const current = useMemo(() => settled(asDocument(inForce?.document)), [inForce]);
  const [begun, setBegun] = useState<Kept | undefined>(() => kept(storageKey));
  const fresh = useMemo(() => current.rules.map(draftOf), [current]);
  const rules = begun?.rules ?? fresh;
  const { document, unreadable } = useMemo(() => toDocument(rules), [rules]);
  const isChanged = begun !== undefined && (unreadable.length > 0 || spelled(document) !== spelled(current));
  useEffect(() => {
    if (begun && isChanged) sessionStorage.setItem(storageKey, JSON.stringify(begun));
    else sessionStorage.removeItem(storageKey);
  }, [begun, isChanged, storageKey]);
  return {
    rules,
    document,
    unreadable,
    isChanged,
    current,
    /** Somebody else was faster. */
    isStale: isChanged && begun.base !== version,
    setRules: (next: RuleDraft[]) => setBegun({ base: begun?.base ?? version, rules: next }),
    setDocument: (next: PolicyDocument) => setBegun({ base: begun?.base ?? version, rules: next.rules.map(draftOf) }),
    discard: () => setBegun(undefined),
  };
}

export type Draft = ReturnType<typeof useDraft>;

export interface Check {
  isChecking: boolean;
  flaws: Flaw[];
  /** Something else than a flaw: the server is gone, say. */
  error: Error | null;
  isGood: boolean;
}

/** What the server thinks of the draft, a moment after the last change. What is in force has passed already. */
export function useCheck({ document, unreadable, isChanged }: Draft): Check {
  const text = spelled(document);
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isSettled = asked === text;
  const isReadable = unreadable.length === 0;
  const { error, isSuccess, isFetching } = useQuery({ ...checkQuery(document), enabled: isChanged && isSettled && isReadable });
  const problem = error === null ? undefined : asProblem(error);
  const isFlawed = problem?.status === 422;
  return {
    isChecking: isChanged && isReadable && (!isSettled || isFetching),
    flaws: isChanged && isSettled && isFlawed ? flawsIn(problem.detail) : [],
    error: isFlawed ? null : error,
    isGood: !isChanged || (isReadable && isSettled && isSuccess),
  };
}
