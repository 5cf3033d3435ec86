import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { launchBrowser, withBrowser } from '../support/browser.ts';
import { buildPage } from '../support/built-page.ts';
import { demoApp } from '../support/demo-app.ts';
import { cookieOf, logIn, newcomer } from '../support/visitor.ts';
import { type Visit, visits } from './addresses.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let app: TestApp;
let origin: string;
let browser: Browser | undefined;
let cookie: { name: string; value: string };

beforeAll(async () => {
  buildPage();
  app = await demoApp();
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const [name = '', value = ''] = cookieOf(
    await logIn(app, await newcomer(app, { rootRole: 1 })),
  ).split('=');
  cookie = { name, value };
  // Last, and so closed first: the server would wait for what a browser holds open.
  browser = await launchBrowser();
});

/** What axe found, as lines that say which element has which fault. */
const findings = ({ violations }: AxeResults): string[] =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );

/** Every combination took four minutes, and those left out found nothing that these two do not. */
const looks = [
  ['light', 1440],
  ['dark', 360],
] as const;

withBrowser('every page', () => {
  test.each(looks)('is for everybody in %s at %i px, and fits', async (colorScheme, width) => {
    if (!browser) return;
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
      // The policy of the page refuses every script but its own, and so this one too.
      bypassCSP: true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const problems: string[] = [];

    async function visit({ path, heading }: Visit): Promise<void> {
      await page.goto(`${origin}${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      // A skeleton is no page yet.
      await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
      await page.evaluate(axe);
      const results = await page.evaluate<AxeResults>(
        `axe.run(document, { resultTypes: ['violations'] })`,
      );
      problems.push(...findings(results).map((finding) => `${path} ${finding}`));
      const shown = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (shown > width) problems.push(`${path} is ${shown} px wide`);
    }

    for (const each of visits.filter(({ isPublic }) => isPublic)) await visit(each);
    await context.addCookies([{ ...cookie, url: origin }]);
    for (const each of visits.filter(({ isPublic }) => !isPublic)) await visit(each);
    await context.close();
    expect(problems).toEqual([]);
  });
});
