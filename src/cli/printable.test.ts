import { expect, test } from 'vitest';
import { printable, printableLines } from './printable.ts';

test.each([
  ['an escape sequence', '\x1b[2Jgone', '\\u{1b}[2Jgone'],
  ['a C1 control sequence', '\x9b2J', '\\u{9b}2J'],
  ['delete and backspace', 'a\x7f\b', 'a\\u{7f}\\u{08}'],
  ['line breaks and tabs', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
  ['reversed text', 'user\u202etxt.exe', 'user\\u{202e}txt.exe'],
  ['isolated text', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
  ['separators of lines and paragraphs', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
  ['invisible characters', 'a\u200bb\u{e0041}', 'a\\u{200b}b\\u{e0041}'],
  ['half of a surrogate pair', 'a\ud800', 'a\\u{d800}'],
])('printable text escapes %s', (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test.each(['release-1', 'naïve café', '日本語', 'می‌خواهم', '👩‍🚀 go', "100 % of 'x' \\ <y>"])(
  'printable text keeps %s',
  (text) => {
    expect(printable(text)).toBe(text);
  },
);

test('text of several lines keeps its line breaks, and other control characters are escaped', () => {
  expect(printableLines('one\n\x1b[1mtwo\r\n')).toBe('one\n\\u{1b}[1mtwo\\r\n');
});
