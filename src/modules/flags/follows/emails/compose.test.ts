import { expect, test } from 'vitest';
import { composeEmail } from './compose.ts';

const baseUrl = 'https://flags.example.com';
const compose = (...summaries: readonly string[]) =>
  composeEmail(
    'a@example.com',
    summaries.map((summary) => ({ createdAt: new Date(0), summary })),
    baseUrl,
  );

const enabled = (name: string) =>
  `**Ada** enabled [**${name}**](/projects/shop/features/${name}) in **production**`;

test('a name in an email cannot add lines to it', () => {
  const { subject, text, html } = compose(
    '**Ada\u2028Click https://evil.example**\n changed [x](/projects/p/features/x)',
  );
  expect(subject).toBe('Ada Click https://evil.example  changed x');
  expect(text.split(/[\n\u2028]/).slice(0, 6)).toEqual([
    'x',
    'https://flags.example.com/projects/p/features/x',
    '',
    'Ada Click https://evil.example  changed x',
    'Jan 1, 00:00 UTC',
    '',
  ]);
  expect(html).not.toContain('\u2028');
});

test('the subject of an email about one change is that change', () => {
  expect(compose(enabled('dark-mode')).subject).toBe('Ada enabled dark-mode in production');
});

test('several changes are counted in the subject and listed by feature', () => {
  const { subject, text } = compose(
    enabled('dark-mode'),
    enabled('checkout'),
    '**Bo** archived [**dark-mode**](/projects/shop/features/dark-mode)',
  );
  expect(subject).toBe('3 changes to dark-mode and checkout');
  expect(text.split('\n').filter((line) => /^(dark-mode|checkout|Ada|Bo)/.test(line))).toEqual([
    'dark-mode',
    'Ada enabled dark-mode in production',
    'Bo archived dark-mode',
    'checkout',
    'Ada enabled checkout in production',
  ]);
});

test('the subject of an email names three features and counts the others', () => {
  expect(compose(...['a', 'b', 'c', 'd'].map(enabled)).subject).toBe(
    '4 changes to a, b, c, and 1 more',
  );
});

test('changes without links have a general subject', () => {
  expect(compose('**Ada** did this', '**Ada** did that').subject).toBe(
    '2 changes to features and projects you follow',
  );
});

test('an email names the owner of a feature, and users in summaries by name instead of ID', () => {
  const { text, html } = composeEmail(
    'a@example.com',
    [
      {
        createdAt: new Date(0),
        summary:
          '**Ada** changed the owner of [**x**](/projects/p/features/x) from user **7** to group **Web**',
        owner: 'Web <b>',
        ownerNames: { 7: 'Bo Lind' },
      },
    ],
    baseUrl,
  );
  expect(text).toContain('features/x\nOwner: Web <b>\n');
  expect(text).toContain('Ada changed the owner of x from user Bo Lind to group Web');
  expect(html).toContain('Owner: Web &#60;b&#62;');
});
