import { test } from 'vitest';
import { browseApi } from './support/browsed-api.ts';
import { withBrowser } from './support/browser.ts';

withBrowser('in a browser, the page to browse the API', () => {
  test('lists all operations, and asks nobody else for anything', () => browseApi(() => true));
});
