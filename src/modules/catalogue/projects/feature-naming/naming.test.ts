import { describe, expect, test } from 'vitest';
import { matchesNaming, namingBreach, namingFaults, namingOf } from './naming.ts';

describe('a naming pattern', () => {
  test.each([
    ['ok-.*', 'ok-name', true],
    ['ok-.*', 'not-ok-name', false],
    ['^ok-[a-z]+$', 'ok-name', true],
    ['a|bc', 'abc', false],
    ['a|bc', 'bc', true],
    ['(?i)ABC', 'abc', true],
    ['[a-z]+\\.\\d{2}', 'web.42', true],
    ['(a+)+b', 'a'.repeat(100), false],
  ])('%s matches %s: %s', (pattern, name, matches) => {
    expect(matchesNaming({ pattern }, name)).toBe(matches);
  });

  test.each([
    ['a(', /missing closing \)/],
    ['[z-a]', /invalid character class range/],
    ['a{1000}b{1000}', /2004 steps.*at most 2000/],
    ['(?=a).*', /`\(\?=`.*look-ahead/],
    ['(?!a).*', /look-ahead/],
    ['(?<=a).*', /look-behind/],
    ['(?<!a).*', /look-behind/],
    ['(a)\\1', /`\\1`.*back-references/],
  ])('%s is rejected with the reason', (pattern, reason) => {
    expect(namingFaults({ pattern }, '/body/featureNaming')).toEqual([
      { path: '/body/featureNaming/pattern', message: expect.stringMatching(reason) },
    ]);
  });

  test('requires that the example matches, if there is one', () => {
    expect(namingFaults({ pattern: 'a+', example: 'aa' }, '')).toEqual([]);
    expect(namingFaults({ pattern: 'a+', example: 'ab' }, '')).toEqual([
      { path: '/example', message: "/example 'ab' does not match the pattern 'a+'" },
    ]);
  });

  test('is required if there is an example or a description', () => {
    const faults = namingFaults({ pattern: '', example: 'a', description: 'b' }, '');
    expect(faults.map(({ path }) => path)).toEqual(['/example', '/description']);
    expect(namingFaults({ pattern: null, example: '', description: null }, '')).toEqual([]);
  });
});

test('an empty property of a naming rule is not stored', () => {
  expect(namingOf({ pattern: 'a', example: '', description: null })).toEqual({ pattern: 'a' });
  expect(namingOf({ pattern: 'a', example: 'a', description: 'one\ntwo' })).toEqual({
    pattern: 'a',
    example: 'a',
    description: 'one\ntwo',
  });
  expect(namingOf({ pattern: '' })).toBeUndefined();
  expect(namingOf({ pattern: null })).toBeUndefined();
});

describe('the message about a name', () => {
  test('contains the pattern, and its example and description if they exist', () => {
    expect(namingBreach({ pattern: 'a+' }, 'b')).toBe(
      "The name 'b' does not match the naming pattern of the project: 'a+'.",
    );
    const naming = { pattern: 'a+', example: 'aa', description: 'one\ntwo' };
    const breach = namingBreach(naming, 'b');
    for (const part of Object.values(naming)) expect(breach).toContain(`'${part}'`);
  });

  test('is undefined if there is no rule or the name matches', () => {
    expect(namingBreach(undefined, 'b')).toBeUndefined();
    expect(namingBreach({ pattern: 'b' }, 'b')).toBeUndefined();
  });
});
