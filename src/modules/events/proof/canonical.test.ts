import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical, type Json, sha256 } from './canonical.ts';

test('equal values have one canonical text, which is equivalent JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = canonical(value as Json);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonical(JSON.parse(text))).toBe(text);
    }),
  );
});

test('a string is encoded as in JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(canonical(text)).toBe(JSON.stringify(text));
    }),
  );
  expect(canonical('\ud800 \u2028 \u007f "\\\n')).toBe(
    JSON.stringify('\ud800 \u2028 \u007f "\\\n'),
  );
});

test('keys are sorted by code units, whatever their original order', () => {
  expect(canonical({ b: 1, a: [2, null], '\u{1f600}': 0, '\ufb33': 0, 10: 1, 9: 1 })).toBe(
    '{"10":1,"9":1,"a":[2,null],"b":1,"\u{1f600}":0,"\ufb33":0}',
  );
});

test('SHA-256 of several parts is that of their concatenated bytes', () => {
  const salt = Buffer.from('00ff80', 'hex');
  const expected = createHash('sha256').update(salt).update('Zoë').digest();
  expect(sha256(salt, 'Zoë')).toEqual(expected);
  expect(sha256('Zoë')).toEqual(createHash('sha256').update('Zoë').digest());
});
