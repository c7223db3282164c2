import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "react";

import type { CodeEditorProps } from "./CodeEditor";
import { colours } from "./colours";

const LANGUAGES: Record<CodeEditorProps["language"], () => Extension> = {
  json,
  markdown,
  python,
  text: () => [],
};

const look = EditorView.theme({
  "&": { fontSize: "13px", color: "var(--foreground)", backgroundColor: "var(--background)" },
  ".cm-content": { fontFamily: "var(--font-mono)", minHeight: "6rem", caretColor: "var(--foreground)" },
  ".cm-gutters": { backgroundColor: "var(--muted)", color: "var(--muted-foreground)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-scroller": { maxHeight: "24rem", overflow: "auto" },
  "&.cm-focused": { outline: "2px solid var(--ring)", outlineOffset: "1px" },
});

/** Tab moves on to the next field: an editor in a form must not hold anybody. */
export default function CodeMirrorEditor({ id, label, language, value, onChange, readOnly, isInvalid }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(onChange);
  const first = useRef(value);

  useEffect(() => {
    latest.current = onChange;
    first.current = value;
  });

  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          basicSetup,
          LANGUAGES[language](),
          look,
          colours,
          EditorView.lineWrapping,
          EditorState.readOnly.of(Boolean(readOnly)),
          // A long text scrolls: what scrolls must take the focus.
          EditorView.contentAttributes.of({ id, "aria-label": label, tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, [id, label, language, readOnly]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={place} className={`overflow-hidden rounded-md border ${isInvalid ? "border-bad" : "border-input"}`} />;
}
