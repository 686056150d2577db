/** The parts of CodeMirror that the panel uses, dressed in the panel's colours. Loaded only when code is looked at. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { cspNonce } from "@/lib/nonce";
import { plain } from "@/lib/text";
import { languageOf } from "./language";

const look = EditorView.theme({
  "&": { fontSize: "0.8rem", backgroundColor: "var(--bg-raised)", color: "var(--text)", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--bg-raised)", color: "var(--text-faint)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "light-dark(#dcdcfb, #35366b)",
  },
  ".cm-deletedChunk": { backgroundColor: "var(--wrong-soft)", paddingLeft: "6px" },
  ".cm-changedLine": { backgroundColor: "var(--good-soft) !important" },
  ".cm-insertedLine": { backgroundColor: "var(--good-soft)" },
  ".cm-changedText": { background: "var(--good-line) !important" },
  ".cm-deletedText": { background: "var(--wrong-line) !important" },
  ".cm-collapsedLines": { background: "var(--bg-sunken)", color: "var(--text-soft)", padding: "4px 12px" },
  ".cm-panels": { backgroundColor: "var(--bg-sunken)", color: "var(--text)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--accent-text)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--waiting)" },
  { tag: [tags.comment, tags.meta], color: "var(--text-faint)", fontStyle: "italic" },
  { tag: [tags.definition(tags.variableName), tags.function(tags.variableName), tags.tagName], fontWeight: "600" },
  { tag: [tags.heading, tags.strong], fontWeight: "600" },
  { tag: [tags.link, tags.url], textDecoration: "underline" },
]);

function basics(label: string): Extension[] {
  return [
    EditorView.cspNonce.of(cspNonce()),
    lineNumbers(),
    drawSelection(),
    bracketMatching(),
    highlightSelectionMatches(),
    syntaxHighlighting(colours),
    look,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    // What turns text around or hides in it is shown for what it is, and changes nothing else.
    highlightSpecialChars({ addSpecialChars: /[\u180e\u202a-\u202c\u2060-\u2064\u2068\u{e0000}-\u{e007f}]/u }),
    EditorView.perLineTextDirection.of(false),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  ];
}

function mounted(parent: HTMLElement, doc: string, path: string, extensions: Extension[]): EditorView {
  const language = new Compartment();
  const view = new EditorView({ parent, doc, extensions: [...extensions, language.of([])] });
  void languageOf(path).then((found) => {
    if (found && view.dom.isConnected) view.dispatch({ effects: language.reconfigure(found) });
  });
  return view;
}

const readOnly: Extension[] = [EditorState.readOnly.of(true), EditorView.editable.of(false)];

export interface Shown {
  parent: HTMLElement;
  path: string;
  label: string;
}

/** Two versions of a text in one, with what went in red and what came in green. */
export function showDiff({ parent, path, label }: Shown, before: string, after: string): () => void {
  // Lines that went are drawn past what shows special characters, so both texts come with them made visible.
  const view = mounted(parent, plain(after), path, [
    ...basics(label),
    ...readOnly,
    unifiedMergeView({
      original: plain(before),
      mergeControls: false,
      gutter: true,
      // In a text that is all new, marking every word would say nothing.
      highlightChanges: before !== "" && after !== "",
      syntaxHighlightDeletions: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
    }),
  ]);
  return () => view.destroy();
}

export interface Editing extends Shown {
  text: string;
  onChange: (text: string) => void;
  onSave: () => void;
}

export function showEditor({ parent, path, label, text, onChange, onSave }: Editing): () => void {
  const view = mounted(parent, text, path, [
    keymap.of([
      {
        key: "Mod-s",
        run: () => {
          onSave();
          return true;
        },
      },
    ]),
    ...basics(label),
    history(),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
  ]);
  return () => view.destroy();
}
