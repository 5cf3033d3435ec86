import type { CDPSession } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { demoApp } from '../support/demo-app.ts';
import { pageTest, signInTo } from '../support/page-test.ts';

const test = pageTest(demoApp);

/** Bytes of each response, with its headers, by URL. */
async function countBytes(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  await session.send('Network.enable');
  const urls = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    urls.set(requestId, request.url),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId) ?? '';
    bytes.set(url, (bytes.get(url) ?? 0) + encodedDataLength);
  });
  return bytes;
}

/** Records in the page when its first row appears. */
const watchFor = (row: string) => `
  new MutationObserver(() => {
    if (document.querySelector(${JSON.stringify(row)})) globalThis.firstRowAt ??= performance.now();
  }).observe(document, { childList: true, subtree: true });`;

const loadedBefore = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= globalThis.firstRowAt)
  .map(({ name }) => name)`;

withBrowser('the first view', () => {
  test.for([
    ['/', 'main li'],
    ['/search', 'main tbody tr'],
    ['/history', 'main li'],
  ] as const)(
    'of %s loads at most 300 kB and 15 scripts until its first row',
    async ([path, row], { api, browser, origin }) => {
      // Nothing is cached in it.
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      await signInTo(api, context, origin);
      const page = await context.newPage();
      await page.addInitScript(watchFor(row));
      const bytes = await countBytes(await context.newCDPSession(page));
      await page.goto(`${origin}${path}`);
      await page.locator(row).first().waitFor();
      const urls = [...new Set(await page.evaluate<string[]>(loadedBefore))];
      await expect.poll(() => urls.filter((url) => !bytes.has(url))).toEqual([]);
      await context.close();
      expect(urls).toContain(`${origin}${path}`);
      expect(urls.filter((url) => url.endsWith('.js')).length).toBeLessThanOrEqual(15);
      const sum = urls.reduce((total, url) => total + (bytes.get(url) ?? 0), 0);
      expect(sum).toBeLessThan(300_000);
    },
  );
});
