import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { UsersWaiting } from './users-waiting.tsx';

test('while users load, an outline of the table is shown and announced as a status', () => {
  const html = renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(UsersWaiting)),
  );
  expect(html).toMatch(/<div[^>]* role="status"[^>]* aria-label="Loading users"/);
  expect(html.match(/<tr/g)).toHaveLength(8);
  expect(html).toContain('--skeleton-radius');
});
