import { browseApi } from './support/browsed-api.ts';
import { browserTest, withBrowser } from './support/browser.ts';

withBrowser('the API documentation page in a browser', () => {
  browserTest('lists all operations and sends no requests to other sites', ({ context }) =>
    browseApi(context, () => true),
  );
});
