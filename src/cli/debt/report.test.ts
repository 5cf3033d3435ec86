import { describe, expect, test } from 'vitest';
import { junitOf } from './junit.ts';
import { reportOf, tableOf } from './report.ts';
import type { FeatureWithReasons } from './responses.ts';

const hostile = `<b>&amp;"it's"]]>\u0000\u001b[31m\u202e\ud800\uffff\n\ttab`;

const debtor = (overrides: Partial<FeatureWithReasons> = {}): FeatureWithReasons => ({
  feature: 'banner',
  type: 'release',
  createdAt: '2031-01-01T00:00:00.000Z',
  stale: false,
  reasons: [{ reason: 'lifetimeOver', since: '2031-02-01T00:00:00.000Z', detail: 'Old' }],
  ...overrides,
});

const report = (
  debtors: readonly FeatureWithReasons[],
  maxStale: number | null = 0,
  project = 'shop',
) =>
  reportOf({
    project,
    limits: { maxStale, minHealth: null, from: maxStale === null ? 'none' : 'command line' },
    current: { total: 9, stale: 0, potentiallyStale: debtors.length, health: 50 },
    debtors,
  });

/** Parses strict XML: tags in order, attributes, text. */
function parse(xml: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be in a document
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  expect(xml.isWellFormed()).toBe(true);
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const attribute = '(?: [a-z]+="(?:[^<&"]|&#[0-9]+;)*")*';
  const token = new RegExp(`<(/?)([a-z]+)${attribute}(/?)>|([^<&>]|&#[0-9]+;)+`, 'y');
  const open: string[] = [];
  const names: string[] = [];
  while (token.lastIndex < body.length) {
    const [whole, end, name, empty] = token.exec(body) ?? [];
    expect(whole, body.slice(0, 200)).toBeDefined();
    if (name === undefined) continue;
    if (end) expect(open.pop()).toBe(name);
    else {
      names.push(name);
      if (!empty) open.push(name);
    }
  }
  expect(open).toEqual([]);
  return names;
}

describe('the JUnit report', () => {
  test('is well-formed for any names', () => {
    const reasons = [{ reason: 'markedStale', detail: `Marked as stale by ${hostile}` }];
    const debtors = [debtor({ feature: hostile, stale: true, reasons }), debtor()];
    const xml = junitOf(report(debtors, 0, hostile));
    expect(parse(xml)).toEqual([
      ...['testsuites', 'testsuite'],
      ...Array(3).fill(['testcase', 'failure']).flat(),
    ]);
    expect(xml).toContain('&#60;b&#62;&#38;amp;&#34;it&#39;s&#34;]]&#62;');
    expect(xml).toContain('&#10;&#9;tab');
  });

  test('has no test cases without features or limits', () => {
    expect(parse(junitOf(report([], null)))).toEqual(['testsuites', 'testsuite']);
  });
});

test('the owner is in the JUnit report and in a column of the table', () => {
  const owned = debtor({ owner: { type: 'user', name: 'Ada Holm' } });
  expect(junitOf(report([owned]))).toContain('>Owner: Ada Holm&#10;Old<');
  expect(
    tableOf(report([owned, debtor({ feature: 'b' })], null))
      .split('\n')
      .slice(3),
  ).toEqual([
    'FEATURE  STATE              OWNER     SINCE       WHY',
    'banner   potentially stale  Ada Holm  2031-02-01  Old',
    'b        potentially stale            2031-02-01  Old',
    '',
  ]);
});

describe('the table', () => {
  test('keeps its lines and columns for any names', () => {
    const reasons = [
      { reason: 'notSeen', detail: 'Never seen' },
      { reason: 'lifetimeOver', since: '2031-02-01T00:00:00.000Z', detail: hostile },
    ];
    const table = tableOf(report([debtor({ reasons }), debtor({ feature: 'b' })], null));
    expect(table.split('\n').slice(3)).toEqual([
      'FEATURE  STATE              SINCE       WHY',
      `banner   potentially stale  2031-02-01  <b>&amp;"it's"]]>\\u{00}\\u{1b}[31m\\u{202e}\\u{d800}\\u{ffff}\\n\\ttab`,
      '                            unknown     Never seen',
      'b        potentially stale  2031-02-01  Old',
      '',
    ]);
  });
});
