import { expect, test } from 'vitest';
import { composeEmail } from './compose.ts';

test('a name in an email cannot add lines to it', () => {
  const summary = '**Ada\u2028Click https://evil.example**\n changed [x](/projects/p/features/x)';
  const change = { createdAt: new Date(0), summary };
  const { text, html } = composeEmail('a@example.com', [change], 'https://flags.example.com');
  expect(text.split(/[\n\u2028]/).slice(0, 4)).toEqual([
    '1970-01-01 00:00 UTC',
    'Ada Click https://evil.example  changed x',
    'https://flags.example.com/projects/p/features/x',
    '',
  ]);
  expect(html).not.toContain('\u2028');
});
