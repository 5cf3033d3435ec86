import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useComputedColorScheme } from '@mantine/core';
import { basicSetup } from 'codemirror';
import { getNonce } from 'get-nonce';
import { useEffect, useRef } from 'react';

interface Props {
  readonly text: string;
  /** What the text is, for a screen reader. */
  readonly label: string;
  readonly isReadOnly?: boolean;
  readonly onChange: (text: string) => void;
}

const look = (isDark: boolean) =>
  EditorView.theme(
    {
      '&': { fontSize: '13px', backgroundColor: 'transparent' },
      '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--quiet)' },
      '.cm-content': { caretColor: 'var(--mantine-color-text)' },
      '.cm-activeLine, .cm-activeLineGutter': {
        backgroundColor: isDark ? '#ffffff0a' : '#0000000a',
      },
      '.cm-foldPlaceholder': { backgroundColor: 'transparent', color: 'var(--quiet)' },
    },
    { dark: isDark },
  );

/** Readable in both schemes. */
const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#0f4c81, #93c5fd)' },
  { tag: tags.string, color: 'light-dark(#115e59, #5eead4)' },
  { tag: tags.number, color: 'light-dark(#92400e, #fcd34d)' },
  { tag: [tags.bool, tags.null], color: 'light-dark(#6b21a8, #d8b4fe)' },
]);

/** JSON to read and to change. It is a chunk of its own. */
export function JsonEditor({ text, label, isReadOnly = false, onChange }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  const scheme = useRef(new Compartment());
  const isDark = useComputedColorScheme() === 'dark';
  const first = useRef({ text, label, isReadOnly, isDark });

  useEffect(() => {
    if (!frame.current) return;
    const view = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: first.current.text,
        extensions: [
          basicSetup,
          json(),
          syntaxHighlighting(colors),
          linter(jsonParseLinter()),
          lintGutter(),
          EditorView.lineWrapping,
          // Its styles need the nonce of this very page.
          EditorView.cspNonce.of(getNonce() ?? ''),
          EditorView.contentAttributes.of({ 'aria-label': first.current.label }),
          EditorState.readOnly.of(first.current.isReadOnly),
          scheme.current.of(look(first.current.isDark)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, []);

  useEffect(() => {
    editor.current?.dispatch({ effects: scheme.current.reconfigure(look(isDark)) });
  }, [isDark]);

  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, [text]);

  return <div ref={frame} className="card" style={{ overflow: 'hidden' }} />;
}
