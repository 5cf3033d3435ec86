import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { goToLogByKeys, moveTo, pageTest, untilLive } from '../support/page-test.ts';

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

  test('remembers the color scheme, shows maintenance mode, and opens its navigation on a phone', async ({
    api,
    page,
    visit,
  }) => {
    const shown = () =>
      page.evaluate('document.documentElement.getAttribute("data-mantine-color-scheme")');
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit('/');
    const theme = page.getByRole('button', { name: 'Theme' });
    await theme.waitFor();
    expect(await shown()).toBe('dark');
    await theme.click();
    await page.getByRole('menuitem', { name: 'Light' }).click();
    await expect.poll(shown).toBe('light');
    await page.reload();
    await theme.waitFor();
    expect(await shown()).toBe('light');

    await api.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
    await page.getByText('Read-only', { exact: true }).waitFor();
    await api.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
    await page.getByText('Read-only', { exact: true }).waitFor({ state: 'hidden' });

    // The list of pages is in the same place on long and on short ones.
    const placeOn = async (path: string, name: string) => {
      await moveTo(page, path);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      return (await page.getByRole('navigation', { name: 'Administration' }).boundingBox())?.y;
    };
    expect(await placeOn('/admin/roles/2', 'Editor')).toBe(
      await placeOn('/admin/instance', 'Instance'),
    );

    // On a phone the navigation is behind a button.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Features' }).click();
    await page.getByRole('heading', { level: 1, name: 'Features' }).waitFor();
  });
});
