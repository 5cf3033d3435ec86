import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { faultsOf } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { demoApp } from '../support/demo-app.ts';
import { moveTo, pageTest } from '../support/page-test.ts';
import { type Visit, visits } from './addresses.ts';

const test = pageTest(demoApp);

/** All combinations took four minutes and found nothing more than these two. */
const looks = [
  ['light', 1440],
  ['dark', 360],
] as const;

/** As many as a busy machine can visit in a third of a test's time limit. */
const atOnce = 8;

const batchesOf = (all: readonly Visit[]): Visit[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, nth) =>
    all.slice(nth * atOnce, (nth + 1) * atOnce),
  );

/** Whether the router has rendered the page. Sign-in pages have no router. */
const isShown = `(() => {
  const { status, location, resolvedLocation } = globalThis.__TSR_ROUTER__?.state ?? { status: 'idle' };
  return status === 'idle' && resolvedLocation?.href === location?.href;
})()`;

/** Visits the pages in turn and returns their problems. */
async function faultsAt(page: Page, batch: readonly Visit[], go: (path: string) => Promise<void>) {
  const problems: string[] = [];
  const asked = new Set<Request>();
  // All requests except the event stream, which never ends, because parts of a page load when they are first shown.
  const onRequest = (request: Request) => {
    if (request.resourceType() !== 'eventsource') asked.add(request);
  };
  const onEnd = (request: Request) => void asked.delete(request);
  page.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd);
  const width = page.viewportSize()?.width ?? 0;
  for (const { path, heading } of batch) {
    await go(path);
    // Pages of a project have the same heading.
    await expect.poll(() => page.evaluate(isShown)).toBe(true);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    // A rendered component requests its data at once. The page is complete when it has arrived.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    await expect.poll(() => asked.size).toBe(0);
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    problems.push(...(await faultsOf(page)).map((fault) => `${path} ${fault}`));
    const shown = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (shown > width) problems.push(`${path} is ${shown} px wide`);
  }
  page.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd);
  return problems;
}

withBrowser('every page', () => {
  for (const [colorScheme, width] of looks) {
    const look = `in ${colorScheme} at ${width} px`;
    const dress = async (page: Page) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    };

    test(`without a session is accessible and fits ${look}`, async ({ page, origin }) => {
      await dress(page);
      const open = visits.filter(({ isPublic }) => isPublic);
      const go = async (path: string) => void (await page.goto(`${origin}${path}`));
      expect(await faultsAt(page, open, go)).toEqual([]);
    });

    for (const batch of batchesOf(visits.filter(({ isPublic }) => !isPublic))) {
      test(`from ${batch[0]?.path} to ${batch.at(-1)?.path} is accessible and fits ${look}`, async ({
        page,
        origin,
        signIn,
      }) => {
        await dress(page);
        await signIn();
        // Loaded once. Later navigation works like a link, because each load takes a second.
        await page.goto(`${origin}/`);
        expect(await faultsAt(page, batch, (path) => moveTo(page, path))).toEqual([]);
      });
    }
  }
});
