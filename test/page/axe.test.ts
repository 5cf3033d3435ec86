import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { faultsOf } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { demoApp } from '../support/demo-app.ts';
import { moveTo, pageTest } from '../support/page-test.ts';
import { type Visit, visits } from './addresses.ts';

const test = pageTest(demoApp);

/** Every combination took four minutes, and those left out found nothing that these two do not. */
const looks = [
  ['light', 1440],
  ['dark', 360],
] as const;

/** As many as a busy machine visits in a third of the time that a test has. */
const atOnce = 8;

const batchesOf = (all: readonly Visit[]): Visit[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, nth) =>
    all.slice(nth * atOnce, (nth + 1) * atOnce),
  );

/** Whether the router has drawn the page of the address. Pages for signing in have no router. */
const isShown = `(() => {
  const { status, location, resolvedLocation } = globalThis.__TSR_ROUTER__?.state ?? { status: 'idle' };
  return status === 'idle' && resolvedLocation?.href === location?.href;
})()`;

/** Looks at one page after the other, and returns what is wrong with them. */
async function faultsAt(page: Page, batch: readonly Visit[], go: (path: string) => Promise<void>) {
  const problems: string[] = [];
  const asked = new Set<Request>();
  // Everything but the stream of events, which never ends: parts of a page are loaded when they are first shown.
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
    // What was drawn now asks for its data at once. Until it has them it is no page yet.
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

    test(`for somebody who has not signed in is for everybody ${look}, and fits`, async ({
      page,
      origin,
    }) => {
      await dress(page);
      const open = visits.filter(({ isPublic }) => isPublic);
      const go = async (path: string) => void (await page.goto(`${origin}${path}`));
      expect(await faultsAt(page, open, go)).toEqual([]);
    });

    for (const batch of batchesOf(visits.filter(({ isPublic }) => !isPublic))) {
      test(`from ${batch[0]?.path} to ${batch.at(-1)?.path} is for everybody ${look}, and fits`, async ({
        page,
        origin,
        signIn,
      }) => {
        await dress(page);
        await signIn();
        // Loaded once. From then on the page changes as it does by a link: each load takes a second.
        await page.goto(`${origin}/`);
        expect(await faultsAt(page, batch, (path) => moveTo(page, path))).toEqual([]);
      });
    }
  }
});
