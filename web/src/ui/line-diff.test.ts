import { describe, expect, test } from 'vitest';
import { foldUnchanged, lineDiff, sideBySide } from './line-diff.ts';

describe('a line diff', () => {
  test('lists removed and added lines', () => {
    expect(lineDiff({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual([
      { kind: 'same', text: '{' },
      { kind: 'same', text: '  "a": 1,' },
      { kind: 'removed', text: '  "b": 2' },
      { kind: 'added', text: '  "b": 3' },
      { kind: 'same', text: '}' },
    ]);
    expect(lineDiff(null, { a: 1 }).map(({ kind }) => kind)).toEqual(['added', 'added', 'added']);
  });

  test('folds long runs of unchanged lines', () => {
    const before = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`k${index}`, index]),
    );
    const folded = foldUnchanged(lineDiff(before, { ...before, k10: 'x' }));
    expect(folded.map(({ kind }) => kind)).toEqual([
      'fold',
      'same',
      'same',
      'removed',
      'added',
      'same',
      'same',
      'fold',
    ]);
  });

  test('shows both versions side by side', () => {
    expect(sideBySide(lineDiff({ b: 2 }, { b: 3, c: 4 }))).toEqual([
      { before: '{', after: '{', changed: false },
      { before: '  "b": 2', after: '  "b": 3,', changed: true },
      { before: undefined, after: '  "c": 4', changed: true },
      { before: '}', after: '}', changed: false },
    ]);
  });

  test('replaces all lines if a comparison would take too long', () => {
    const numbers = (from: number) => Array.from({ length: 1_000 }, (_, index) => from + index);
    const kinds = new Set(lineDiff(numbers(0), numbers(9_000)).map(({ kind }) => kind));
    expect([...kinds]).toEqual(['removed', 'added']);
  });
});
