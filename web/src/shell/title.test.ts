import { expect, test } from 'vitest';
import { titleOf } from './title.ts';

test.each([
  ['/', 'Home · Burgee'],
  ['/search', 'Features · Burgee'],
  ['/projects', 'Projects · Burgee'],
  ['/projects/web-shop', 'web-shop · Burgee'],
  ['/projects/web-shop/', 'web-shop · Burgee'],
  ['/projects/web-shop/settings/access', 'settings · web-shop · Burgee'],
  ['/projects/web-shop/features/dark%20mode', 'dark mode · web-shop · Burgee'],
  ['/nowhere', 'Burgee'],
])('the title of %s is %s', (pathname, title) => {
  expect(titleOf(pathname)).toBe(title);
});
