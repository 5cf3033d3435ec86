import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { faultsOf } from '../support/axe.ts';
import { closeLater } from '../support/closing.ts';
import { demoApp } from '../support/demo-app.ts';
import { moveTo, pageTest, signInTo } from '../support/page-test.ts';
import type { Visit } from './addresses.ts';

export type Look = readonly [colorScheme: 'light' | 'dark', width: number];

/** Whether the router has drawn the page of the address. Pages for signing in have no router. */
const isShown = `(() => {
  const { status, location, resolvedLocation } = globalThis.__TSR_ROUTER__?.state ?? { status: 'idle' };
  return status === 'idle' && resolvedLocation?.href === location?.href;
})()`;

/** Waits until the page has drawn what it was asked for, with its data. */
async function untilDrawn(page: Page, pending: ReadonlySet<Request>): Promise<void> {
  await expect.poll(() => page.evaluate(isShown)).toBe(true);
  // What was drawn now asks for its data at once. Until it has them it is no page yet.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  await expect.poll(() => pending.size).toBe(0);
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
}

/** Navigation and header are the same on all pages. Checking them on each took a third of the time. */
const frame = ['.mantine-AppShell-navbar', '.mantine-AppShell-header'];

/** Rows of a list are alike, and axe.proof.ts checks all of them. */
const furtherRows = ['tr:nth-child(n + 9)', 'li:nth-child(n + 9)'];

/**
 * Tests that look at one page after the other in a window of their own. It loads once and then changes as it does by a
 * link. `faultsIn` changes the look of what `open` has shown.
 */
export const tourTest = pageTest(demoApp).extend(
  'tour',
  { scope: 'file' },
  async ({ api, context, origin }) => {
    const page = await context.newPage();
    // Before the server, which would wait for what a browser holds open.
    closeLater(() => page.close());
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const pending = new Set<Request>();
    const onEnd = (request: Request) => void pending.delete(request);
    page.on('request', (request) => {
      // The stream of events never ends.
      if (request.resourceType() !== 'eventsource') pending.add(request);
    });
    page.on('requestfinished', onEnd).on('requestfailed', onEnd);
    let isSignedIn = false;
    return {
      page,
      open: async ({ path, heading, isPublic = false }: Visit) => {
        if (isSignedIn) {
          await moveTo(page, path);
        } else {
          if (!isPublic) await signInTo(api, context, origin);
          isSignedIn = !isPublic;
          await page.goto(`${origin}${path}`);
        }
        // Pages of a project have the same heading.
        await untilDrawn(page, pending);
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      },
      faultsIn: async (
        [colorScheme, width]: Look,
        { withFrame = false, runOnly }: { withFrame?: boolean; runOnly?: readonly string[] } = {},
      ) => {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await untilDrawn(page, pending);
        const faults = await faultsOf(page, {
          ...(runOnly && { runOnly }),
          ...(!withFrame && { exclude: [...frame, ...furtherRows] }),
        });
        const shown = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (shown > width) faults.push(`It is ${shown} px wide`);
        return faults.map((fault) => `${colorScheme}, ${width} px: ${fault}`);
      },
    };
  },
);
