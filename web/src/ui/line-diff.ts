import { diffArrays } from 'diff';

export interface Line {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

const linesOf = (value: unknown): string[] =>
  value === undefined || value === null ? [] : JSON.stringify(value, null, 2).split('\n');

/** Beyond this many changed lines a comparison takes too long: everything is shown as replaced. */
const maxEditLength = 1_000;

/** The lines of two JSON values, with those that were removed and added. */
export function lineDiff(before: unknown, after: unknown): readonly Line[] {
  const [was, is] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(was, is, { maxEditLength }) ?? [
    { value: was, removed: true, added: false },
    { value: is, removed: false, added: true },
  ];
  return changes.flatMap(({ value, removed, added }) =>
    value.map((text) => ({ kind: removed ? 'removed' : added ? 'added' : 'same', text }) as const),
  );
}

/** So many lines that did not change are shown beside one that did. */
const contextLines = 2;

export type Folded = Line | { readonly kind: 'fold'; readonly lines: readonly Line[] };

/** Long runs of lines that did not change, folded. */
export function foldUnchanged(lines: readonly Line[]): readonly Folded[] {
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(({ kind }) => kind !== 'same'),
  );
  const folded: Folded[] = [];
  let run: Line[] = [];
  const endRun = () => {
    if (run.length > 2) folded.push({ kind: 'fold', lines: run });
    else folded.push(...run);
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    if (isNear[index]) {
      endRun();
      folded.push(line);
    } else run.push(line);
  }
  endRun();
  return folded;
}

export interface Pair {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly changed: boolean;
}

/** What was removed beside what was added. */
export function sideBySide(lines: readonly Line[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const endBlock = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      pairs.push({ before: removed[index], after: added[index], changed: true });
    }
    removed = [];
    added = [];
  };
  for (const { kind, text } of lines) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      endBlock();
      pairs.push({ before: text, after: text, changed: false });
    }
  }
  endBlock();
  return pairs;
}
