/** Bytes prepared for hashing: little-endian 32-bit words, and the one to three bytes after them. */
export interface Hashable {
  readonly words: Int32Array;
  readonly rest: number;
  readonly restBits: number;
  readonly length: number;
}

export function hashable(bytes: Uint8Array): Hashable {
  const words = new Int32Array(bytes.length >>> 2);
  const byte = (at: number) => bytes[at] ?? 0;
  const word = (at: number) =>
    byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24);
  for (let at = 0; at < words.length; at += 1) words[at] = word(at * 4);
  const { length } = bytes;
  return { words, rest: word(words.length * 4), restBits: (length & 3) * 8, length };
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

function mix(hash: number, word: number): number {
  const mixed = hash ^ scramble(word);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number, rest: number, length: number): number {
  let end = hash ^ scramble(rest) ^ length;
  end = Math.imul(end ^ (end >>> 16), 0x85ebca6b);
  end = Math.imul(end ^ (end >>> 13), 0xc2b2ae35);
  return end ^ (end >>> 16);
}

/** The state of a hash after its first bytes: the hash of the whole words, and the bytes of an incomplete word. */
export interface HashState {
  readonly hash: number;
  readonly rest: number;
  readonly restBits: number;
  readonly length: number;
}

/** Returns the state after a prefix that many hashes share, so that it is hashed once. */
export function prefixState({ words, rest, restBits, length }: Hashable, seed: number): HashState {
  return { hash: words.reduce(mix, seed | 0), rest, restBits, length };
}

/**
 * MurmurHash3 (x86, 32 bits), continued from the state after a prefix. Every SDK uses it to assign users to buckets.
 * Returns the hash as a signed number.
 */
export function murmur3After(
  prefix: HashState,
  { words, rest, restBits, length }: Hashable,
): number {
  const shift = prefix.restBits;
  let hash = prefix.hash;
  let carried = prefix.rest;
  // Words begin where the prefix ends. Unless the prefix ends with a whole word, each word is combined from two.
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as number;
    hash = mix(hash, carried | (word << shift));
    carried = shift === 0 ? 0 : word >>> (32 - shift);
  }
  carried |= rest << shift;
  if (shift + restBits >= 32) {
    hash = mix(hash, carried);
    carried = rest >>> (32 - shift);
  }
  return finish(hash, carried, prefix.length + length);
}
