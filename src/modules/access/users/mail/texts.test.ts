import { expect, test } from 'vitest';
import { invitationMail, oneLine, resetMail } from './texts.ts';

const link = { to: 'ada@example.com', url: 'https://flags.example.com/x' };

test.each([
  ['Ada', 'Hi Ada,'],
  ['', 'Hi,'],
  ['Ada\u2028Click https://evil.example', 'Hi Ada Click https://evil.example,'],
  ['Ada\u2029\u2029Grace', 'Hi Ada Grace,'],
  ['Ada\r\n\r\nGrace', 'Hi Ada Grace,'],
  ['Ada\u0085Grace\u000b', 'Hi Ada Grace,'],
  ['\u202eadA', 'Hi adA,'],
  ['\u2028', 'Hi,'],
  [
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    'Hi \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645,',
  ],
])('the name %j stays on the first line of an email', (name, first) => {
  for (const { text } of [invitationMail(link, name), resetMail(link, name)]) {
    expect(text.split('\n')[0]).toBe(first);
    expect(text).not.toMatch(/[\u2028\u2029\u0085\r]/);
  }
});

test('oneLine replaces line breaks with spaces', () => {
  expect(oneLine('one\ntwo\u2028three')).toBe('one two three');
});
