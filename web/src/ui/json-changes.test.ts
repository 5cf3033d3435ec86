import { describe, expect, test } from 'vitest';
import {
  changeInWords,
  changesBetween,
  foldUnchanged,
  lineDiff,
  sideBySide,
  valueInWords,
} from './json-changes.ts';

const wordsFor = (before: unknown, after: unknown) =>
  changesBetween(before, after).map(changeInWords);

describe('changes in words', () => {
  test.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ enabled: true }, { enabled: false }, ['enabled yes → no']],
    [{ parameters: { rollout: '10' } }, { parameters: { rollout: '50' } }, ['rollout 10 → 50']],
    [{ description: '' }, { description: 'New' }, ['description empty → New']],
    [{ description: 'Old' }, {}, ['description removed']],
    [{}, { defaultStickiness: 'userId' }, ['default stickiness: userId']],
    [{ tags: ['a', 'b'] }, { tags: ['a', 'c'] }, ['tags › b removed', 'tags › c: c']],
    [
      { constraints: [{ contextName: 'country', values: ['NO'] }] },
      { constraints: [{ contextName: 'country', values: ['NO', 'SE'] }] },
      ['constraints › country › values › SE: SE'],
    ],
    [
      { strategies: [{ id: 'x', title: 'Beta', sortOrder: 1 }] },
      { strategies: [{ id: 'x', title: 'Beta', sortOrder: 2 }] },
      ['strategies › Beta › sort order 1 → 2'],
    ],
    [{ ids: ['a', 'b'] }, { ids: ['b', 'a'] }, ['ids a, b → b, a']],
  ])('%j to %j', (before, after, words) => {
    expect(wordsFor(before, after)).toEqual(words);
  });
});

describe('lines', () => {
  test('say what was taken away and what was added', () => {
    expect(lineDiff({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual([
      { kind: 'same', text: '{' },
      { kind: 'same', text: '  "a": 1,' },
      { kind: 'removed', text: '  "b": 2' },
      { kind: 'added', text: '  "b": 3' },
      { kind: 'same', text: '}' },
    ]);
    expect(lineDiff(null, { a: 1 }).map(({ kind }) => kind)).toEqual(['added', 'added', 'added']);
  });

  test('that did not change are folded where they are many', () => {
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

  test('stand beside each other', () => {
    expect(sideBySide(lineDiff({ b: 2 }, { b: 3, c: 4 }))).toEqual([
      { before: '{', after: '{', changed: false },
      { before: '  "b": 2', after: '  "b": 3,', changed: true },
      { before: undefined, after: '  "c": 4', changed: true },
      { before: '}', after: '}', changed: false },
    ]);
  });
});

test('fields are said one after the other, without those that are empty', () => {
  expect(valueInWords({ permanent: true, snoozedUntil: null, reason: 'A valve' })).toBe(
    'permanent: yes, reason: A valve',
  );
});

test('a list is said by the names of what is in it', () => {
  expect(valueInWords([{ id: '1', title: 'Ticket' }, { name: 'blue' }])).toBe('Ticket, blue');
  expect(valueInWords([{ id: '1' }])).toBe('[{"id":"1"}]');
  expect(valueInWords([])).toBe('none');
});
