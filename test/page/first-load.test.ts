import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { pageTest } from '../support/page-test.ts';

const test = pageTest();

const requested = `performance.getEntriesByType('resource').map(({ name }) => name)`;
const announced = `[...document.head.querySelectorAll('link[as=fetch]')].map(({ href }) => href)`;

withBrowser('the first load', () => {
  test.for([
    ['/search', '/api/admin/search/features'],
    ['/projects/default', '/api/admin/search/features'],
    ['/projects/default/features/first', '/api/admin/projects/default/features/first'],
  ] as const)(
    'of %s preloads exactly the data that the page shows',
    async (addresses, { api, page, visit }) => {
      const [address, read] = addresses;
      if (address === '/search') await make(api.ask).feature('first');
      await visit(address);
      await page.getByText('first', { exact: true }).first().waitFor();
      const isRead = (url: string) => new URL(url).pathname === read;
      const early = (await page.evaluate<string[]>(announced)).filter(isRead);
      expect(early).toHaveLength(1);
      // Another URL would mean that the preloaded data is not what the page requests.
      const all = async () => (await page.evaluate<string[]>(requested)).filter(isRead);
      // A browser lists a request only after its response was shown.
      await expect.poll(async () => [...new Set(await all())]).toEqual(early);
    },
  );
});
