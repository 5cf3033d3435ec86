import { browseApi } from './support/browsed-api.ts';
import { browserTest, withBrowser } from './support/browser.ts';

withBrowser('in a browser, the page to browse the API', () => {
  browserTest('lists all operations, and asks nobody else for anything', ({ context }) =>
    browseApi(context, () => true),
  );
});
