import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { expressionSize } from './expression-size.ts';

const atom = fc.constantFrom(
  ...[
    'a',
    '.',
    '\\d',
    '\\b',
    '[a-z]',
    '[^]x]',
    '[\\]a-]',
    '\\pL',
    '\\p{Greek}',
    '^',
    '$',
    'é',
    '🚩',
  ],
  ...['\\Qa{9}\\E', '[[:alpha:]]', '\\x41', '\\x{1F6A9}', '[\\x41-\\x{5A}]', '\\.', '{', 'a{,2}'],
);
const repetition = fc.oneof(
  fc.constantFrom('', '', '', '*', '+', '?', '*?'),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([least, more]) => `{${least},${least + more}}`),
  fc.nat(9).map((least) => `{${least},}`),
  fc.nat(12).map((times) => `{${times}}`),
);
const { expression } = fc.letrec<{ expression: string; part: string }>((tie) => ({
  expression: fc.array(tie('part'), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
  part: fc
    .tuple(
      fc.oneof(
        { maxDepth: 4 },
        atom,
        tie('expression').map((inner) => `(${inner})`),
        tie('expression').map((inner) => `(?:${inner})`),
        tie('expression').map((inner) => `(?i:${inner})`),
        tie('expression').map((inner) => `(?P<name>${inner})`),
        fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}|${b})`),
      ),
      repetition,
    )
    .map(([inner, times]) => inner + times),
}));

function compiledSize(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch {
    return undefined;
  }
}

describe('the estimated size of a regular expression', () => {
  test('is never smaller than its compiled program', () => {
    fc.assert(
      fc.property(expression, (pattern) => {
        if (expressionSize(pattern) > 3_000) return;
        expect(compiledSize(pattern) ?? 0).toBeLessThanOrEqual(expressionSize(pattern));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['^[a-z0-9._-]+@example\\.com$', 24],
    ['^(internal|beta)-[0-9]{1,8}$', 45],
    ['[a-z]{1,255}', 520],
  ])('of %j is only slightly larger than its compiled program', (pattern, most) => {
    expect(expressionSize(pattern)).toBeLessThanOrEqual(most);
  });

  test.each([
    ['nested repetitions', '((a{9}){9}){9}'.repeat(50)],
    ['Unicode classes', '\\pL'.repeat(333)],
    ['wide ranges', '[C-\\x{1E900}]'.repeat(20)],
  ])('includes %s, which compile slowly', (_, pattern) => {
    expect(expressionSize(pattern)).toBeGreaterThan(10_000);
  });
});
