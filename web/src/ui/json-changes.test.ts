import { describe, expect, test } from 'vitest';
import { changeInWords, changesBetween, valueInWords } from './json-changes.ts';

const wordsFor = (before: unknown, after: unknown) =>
  changesBetween(before, after).map(changeInWords);

describe('changes in words', () => {
  test.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ enabled: true }, { enabled: false }, ['enabled true → false']],
    [{ parameters: { rollout: '10' } }, { parameters: { rollout: '50' } }, ['rollout 10 → 50']],
    [{ description: '' }, { description: 'New' }, ['description "" → New']],
    [{ description: 'Old' }, {}, ['description removed']],
    [{ description: null }, { description: '' }, ['description not set → ""']],
    [{}, { defaultStickiness: 'userId' }, ['default stickiness added: userId']],
    [{ expiresAt: '2027-01-01' }, {}, ['expiry date removed']],
    [{ tags: ['a', 'b'] }, { tags: ['a', 'c'] }, ['tags › b removed', 'tags › c added']],
    [
      { constraints: [{ contextName: 'country', values: ['NO'] }] },
      { constraints: [{ contextName: 'country', values: ['NO', 'SE'] }] },
      ['constraints › country › values › SE added'],
    ],
    [
      { strategies: [{ id: 'x', title: 'Beta', sortOrder: 1 }] },
      { strategies: [{ id: 'x', title: 'Beta', sortOrder: 2 }] },
      ['strategies › Beta › sort order 1 → 2'],
    ],
    [{ ids: ['a', 'b'] }, { ids: ['b', 'a'] }, ['ids a, b → b, a']],
  ])('from %j to %j are described', (before, after, words) => {
    expect(wordsFor(before, after)).toEqual(words);
  });
});

test('an object is described by its fields, without empty ones', () => {
  expect(valueInWords({ permanent: true, snoozedUntil: null, reason: 'A valve' })).toBe(
    'permanent: true, reason: A valve',
  );
});

test('an object with a name is described without its ID', () => {
  expect(valueInWords({ id: '2361c88e-8958-4d5a-b9f2-d5d75dff1392', name: 'beta' })).toBe(
    'name: beta',
  );
  expect(valueInWords({ id: 'kept' })).toBe('id: kept');
});

test('a list is described by the names of its items', () => {
  expect(valueInWords([{ id: '1', title: 'Ticket' }, { name: 'blue' }])).toBe('Ticket, blue');
  expect(valueInWords([{ role: 'Owner', users: ['Ada', 'Bo'] }, { role: 'Member' }])).toBe(
    'role: Owner, users: Ada, Bo; role: Member',
  );
  expect(valueInWords([])).toBe('none');
  expect(valueInWords('2026-11-18T12:00:00.000Z')).toMatch(/^Nov 1[789], 2026, \d+:\d\d.[AP]M$/);
  expect(valueInWords('2026-11-18')).toBe('2026-11-18');
});
