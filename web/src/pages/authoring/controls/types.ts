import type { CodeEditorProps } from "@/parts/form/editor/CodeEditor";

import type { Doc, Path } from "../doc/json";
import type { Key } from "../messages";
import type { SuggestionName } from "./names";

export interface Choice {
  value: string | number | boolean;
  label: Key;
}

/** One place of a document, and how a person fills it in. */
export interface ControlSpec {
  path: Path;
  kind: "text" | "lines" | "code" | "number" | "choice" | "switch" | "words" | "pairs" | "json";
  label: Key;
  help?: Key;
  /** Of `choice`. */
  choices?: readonly Choice[];
  /** Of `choice`: what leaving the key out means. */
  none?: Key;
  /** Of `choice`: the value that an absent key stands for. */
  fallback?: string;
  language?: CodeEditorProps["language"];
  placeholder?: string;
  suggest?: SuggestionName;
  /** Only while the document is like this. */
  when?(doc: Doc): boolean;
  /** The key stays when nothing is in it: the definition needs it. */
  needed?: boolean;
  /** Most leave it as it is: it stands under “More settings”. */
  more?: boolean;
  /** Takes the whole row. */
  wide?: boolean;
}

/** What the server has against a place of the document. */
export interface Complaint {
  pointer: string;
  message: string;
}

export interface ControlProps<Value = unknown> {
  id: string;
  label: string;
  value: Value;
  onChange(value: unknown): void;
  spec: ControlSpec;
  describedBy: string | undefined;
  isInvalid: boolean;
  disabled: boolean;
}
