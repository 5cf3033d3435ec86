import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashable, murmur3After, prefixState } from './murmur3.ts';

const hash = (beginning: Uint8Array, following: Uint8Array, seed: number) =>
  murmur3After(prefixState(hashable(beginning), seed), hashable(following)) >>> 0;

const nothing = new Uint8Array();
const hex = (text: string): Uint8Array => Buffer.from(text, 'hex');
const utf8 = (text: string): Uint8Array => Buffer.from(text);

/** Published results of MurmurHash3_x86_32. */
const vectors: readonly (readonly [string, Uint8Array, number, number])[] = [
  ['nothing', nothing, 0, 0],
  ['nothing with seed 1', nothing, 1, 0x514e28b7],
  ['nothing with the highest seed', nothing, 0xffffffff, 0x81f16f39],
  ['four times 255', hex('ffffffff'), 0, 0x76293b50],
  ['a word, low byte first', hex('21436587'), 0, 0xf55b516b],
  ['the word with a seed', hex('21436587'), 0x5082edee, 0x2362f9de],
  ['three bytes', hex('214365'), 0, 0x7e4a8634],
  ['two bytes', hex('2143'), 0, 0xa0f7b07a],
  ['one byte', hex('21'), 0, 0x72661cf4],
  ['four zeros', hex('00000000'), 0, 0x2362f9de],
  ['three zeros', hex('000000'), 0, 0x85f0b427],
  ['two zeros', hex('0000'), 0, 0x30f4c306],
  ['one zero', hex('00'), 0, 0x514e28b7],
  ['aaaa', utf8('aaaa'), 0x9747b28c, 0x5a97808a],
  ['aaa', utf8('aaa'), 0x9747b28c, 0x283e0130],
  ['aa', utf8('aa'), 0x9747b28c, 0x5d211726],
  ['a', utf8('a'), 0x9747b28c, 0x7fa09ea6],
  ['abcd', utf8('abcd'), 0x9747b28c, 0xf0478627],
  ['Hello, world!', utf8('Hello, world!'), 0x9747b28c, 0x24884cba],
  ['Greek in UTF-8', utf8('ππππππππ'), 0x9747b28c, 0xd58063c1],
  ['a sentence', utf8('The quick brown fox jumps over the lazy dog'), 0x9747b28c, 0x2fa826cd],
];

describe('murmur3', () => {
  test.each(vectors)('hashes %s as published', (_, bytes, seed, expected) => {
    expect(hash(nothing, bytes, seed)).toBe(expected);
  });

  test.each(vectors)('hashes %s the same however it is split', (_, bytes, seed, expected) => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(hash(bytes.subarray(0, cut), bytes.subarray(cut), seed)).toBe(expected);
    }
  });

  test('hashes any bytes the same however they are split', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 70 }),
        fc.nat(70),
        fc.integer({ min: 0, max: 0xffffffff }),
        (bytes, at, seed) => {
          const cut = Math.min(at, bytes.length);
          expect(hash(bytes.subarray(0, cut), bytes.subarray(cut), seed)).toBe(
            hash(nothing, bytes, seed),
          );
        },
      ),
    );
  });
});
