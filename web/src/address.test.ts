import { expect, test } from 'vitest';
import { readAddress, writeAddress } from './address.ts';

test.each([
  ['?query=1e5', { query: '1e5' }],
  ['?query=1.10', { query: '1.10' }],
  ['?query=null', { query: 'null' }],
  ['?query=12345678901234567890', { query: '12345678901234567890' }],
  ['?query=dark', { query: 'dark' }],
  ['?event=900', { event: 900 }],
  ['?favorite=true', { favorite: true }],
  ['?environments=%5B%22a%22%5D', { environments: ['a'] }],
])(
  'the search parameters %s are read with the intended types and written unchanged',
  (text, search) => {
    expect(readAddress(text)).toEqual(search);
    expect(writeAddress(search)).toBe(text);
  },
);

test.each(['900', 'true', '[1]', '"quoted"', '1e5', 'null', '007'])(
  'the string %s stays a string after writing and reading it',
  (query) => expect(readAddress(writeAddress({ query }))).toEqual({ query }),
);
