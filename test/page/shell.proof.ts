import { withBrowser } from '../support/browser.ts';
import { goToLogByKeys, pageTest, untilLive } from '../support/page-test.ts';

const test = pageTest();

withBrowser('the app shell', () => {
  test('loads the new version when files of the old one are gone', async ({
    page,
    origin,
    visit,
  }) => {
    await visit('/');
    await untilLive(page);
    await page.route('**/assets/event-log*.js', (route) => route.fulfill({ status: 404 }), {
      times: 1,
    });
    await goToLogByKeys(page, origin);
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
  });
});
