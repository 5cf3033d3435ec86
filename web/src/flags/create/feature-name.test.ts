import { expect, test } from 'vitest';
import { nameProblem } from './feature-name.ts';

test.each([
  ['checkout-express_pay.v2', undefined],
  ['', undefined],
  ['no spaces', /can't contain spaces/],
  ['grün', /can't contain “ü”/],
  ['party-🎉', /can't contain “🎉”/],
  ['a'.repeat(101), /Maximum 100 characters \(you have 101\)/],
  ['..', /“\.\.” is reserved/],
])('checks the name %s: %s', (name, problem) => {
  const found = nameProblem(name);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});
