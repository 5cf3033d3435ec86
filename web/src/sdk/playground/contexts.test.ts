import { describe, expect, test } from 'vitest';
import {
  cellText,
  contextWords,
  fieldsOf,
  isPlain,
  parseContexts,
  sentContexts,
  withCell,
  withField,
  withoutField,
} from './contexts.ts';

describe('contexts as JSON', () => {
  test.each([
    ['an empty text as one empty context', '', [{}]],
    ['an empty list as one empty context', '[]', [{}]],
    ['a single context without a list', '{"userId": 7}', [{ userId: '7' }]],
    ['custom properties beside other fields', '{"properties": {"beta": true}}', [{ beta: 'true' }]],
    [
      'a field that is also in properties, which is ignored',
      '{"plan": "a", "properties": {"plan": "b"}}',
      [{ plan: 'a' }],
    ],
    ['several values as a list', '[{"plan": ["a", 1]}]', [{ plan: ['a', '1'] }]],
    ['null as a missing field', '[{"plan": null}]', [{}]],
  ])('accept %s', (_what, text, contexts) => {
    expect(parseContexts(text)).toEqual({ contexts });
  });

  test.each([
    ['{', /^Invalid JSON/],
    ['[1]', 'Context 1 must be an object, for example {"userId": "7"}'],
    [
      '[{}, {"plan": {}}]',
      'plan in context 2 must be a string, number, boolean, or array of these',
    ],
    ['{"properties": 1}', 'properties in context 1 must be an object'],
    [JSON.stringify(Array(51).fill({})), /^Too many contexts \(51\)\. The maximum is 50\.$/],
  ])('report the problem in %s and its position', (text, fault) => {
    expect(parseContexts(text).faults?.[0]).toMatch(fault);
  });
});

describe('contexts as a table', () => {
  const contexts = [{ userId: '7' }, { plan: ['a', 'b'], userId: '8' }];

  test('have a column for each field', () => {
    expect(fieldsOf(contexts)).toEqual(['userId', 'plan']);
    expect(fieldsOf(withField(contexts, 'country'))).toEqual(['userId', 'country', 'plan']);
    expect(fieldsOf(withoutField(contexts, 'userId'))).toEqual(['plan']);
  });

  test('separate values by commas, and lists that contain commas are only editable as JSON', () => {
    expect(cellText(['a', 'b'])).toBe('a, b');
    expect(cellText(undefined)).toBe('');
    expect(isPlain(['a', 'b'])).toBe(true);
    expect(isPlain(['a,b'])).toBe(false);
  });

  test('keep the other cells when one changes', () => {
    expect(withCell(contexts, 0, 'plan', 'c')).toEqual([{ userId: '7', plan: 'c' }, contexts[1]]);
  });

  test('are sent without empty cells', () => {
    expect(sentContexts([{ userId: '', plan: [], country: 'DK' }])).toEqual([{ country: 'DK' }]);
  });
});

test('a context is described by its values', () => {
  expect(contextWords({ userId: '7', country: 'DK' })).toBe('userId=7, country=DK');
  expect(contextWords({})).toBe('empty context');
});
