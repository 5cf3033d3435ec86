import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { instantText } from './instant-text.ts';

test('an instant is written as everywhere else, whenever it is', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(instantText(date.getTime())).toBe(date.toISOString());
    }),
    randomCases(1_000, 50_000),
  );
});

test.each([0, -1, 86_400_000 - 1, 86_400_000, 951_782_400_000, 253_402_300_799_999])(
  'also at %i',
  (at) => {
    expect(instantText(at)).toBe(new Date(at).toISOString());
  },
);
