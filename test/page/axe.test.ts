import type { Request } from 'playwright-core';
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

withBrowser('every page', () => {
  for (const [colorScheme, width] of looks) {
    test(`is for everybody in ${colorScheme} at ${width} px, and fits`, async ({
      page,
      origin,
      signIn,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const problems: string[] = [];
      const asked = new Set<Request>();
      page.on('request', (request) => {
        if (request.resourceType() === 'fetch') asked.add(request);
      });
      page.on('requestfinished', (request) => asked.delete(request));
      page.on('requestfailed', (request) => asked.delete(request));

      async function look({ path, heading }: Visit): Promise<void> {
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        // What was drawn now asks for its data at once. Until it has them it is no page yet.
        await page.evaluate(
          'new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))',
        );
        await expect.poll(() => asked.size).toBe(0);
        await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
        problems.push(...(await faultsOf(page)).map((fault) => `${path} ${fault}`));
        const shown = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (shown > width) problems.push(`${path} is ${shown} px wide`);
      }

      for (const each of visits.filter(({ isPublic }) => isPublic)) {
        await page.goto(`${origin}${each.path}`);
        await look(each);
      }
      await signIn();
      // Loaded once. From then on the page changes as it does by a link: each load takes a second.
      await page.goto(`${origin}/`);
      for (const each of visits.filter(({ isPublic }) => !isPublic)) {
        await moveTo(page, each.path);
        await look(each);
      }
      expect(problems).toEqual([]);
    });
  }
});
