import { expect, test } from 'vitest';
import {
  agree,
  compactText,
  decimalText,
  englishOf,
  fieldChange,
  invalidJson,
  joinAnd,
  joinOr,
  limit,
  moreText,
  notFound,
  numberText,
  percent,
  plural,
} from './format.ts';

test.each([
  [['de-DE', 'en-GB', 'en-US'], 'en-GB'],
  [['en'], 'en'],
  [['de', 'eno'], 'en-US'],
  [[], 'en-US'],
])('the browser languages %j select the locale %s', (languages, expected) => {
  expect(englishOf(languages)).toBe(expected);
});

test.each([
  [plural(0, 'feature'), '0 features'],
  [plural(1, 'feature'), '1 feature'],
  [plural(1204, 'feature'), '1,204 features'],
  [plural(2, 'strategy', 'strategies'), '2 strategies'],
  [agree(1, 'is', 'are'), 'is'],
  [agree(0, 'is', 'are'), 'are'],
  [agree(2, 'event'), 'events'],
  [percent(10), '10%'],
  [percent(1, 3), '33.3%'],
  [percent(0.935, 1), '93.5%'],
  [percent(500, 1000), '50%'],
  [numberText(1_204_331), '1,204,331'],
  [decimalText(1.25), '1.3'],
  [compactText(12_345), '12.3K'],
  [moreText(1204), '+1,204 more'],
  [joinAnd(['a']), 'a'],
  [joinAnd(['a', 'b', 'c']), 'a, b, and c'],
  [joinAnd(['a', 'b', 'c'], 3), 'a, b, and c'],
  [joinAnd(['a', 'b', 'c', 'd'], 2), 'a, b, and 2 more'],
  [joinOr(['a', 'b']), 'a or b'],
  [joinOr(['a', 'b', 'c'], 1), 'a or 2 more'],
  [joinOr([]), ''],
  [fieldChange('rollout', percent(10), percent(50)), 'rollout 10% → 50%'],
  [invalidJson(new SyntaxError('Unexpected end')), 'Invalid JSON: Unexpected end'],
  [limit(250, 312, 'value'), 'Maximum 250 values (you have 312)'],
  [limit(30, 30, 'link'), 'Limit of 30 links reached'],
  [notFound('Segment', 'Nordics'), 'Segment Nordics not found'],
])('text is formatted as "%s"', (text, expected) => {
  expect(text).toBe(expected);
});

test('only format.ts and dates.ts format by themselves, so that there is one locale', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  const found = Object.keys(sources).filter((path) =>
    /\bIntl\.|\.toLocale\w*String\(/.test(sources[path] ?? ''),
  );
  expect(found.sort()).toEqual(['./dates.ts', './format.ts']);
});
