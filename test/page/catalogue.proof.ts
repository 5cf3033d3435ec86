import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest } from '../support/page-test.ts';

const test = pageTest();

const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });

withBrowser('segments, context fields and environments', () => {
  test('a long list renders only visible rows', async ({ api, page, visit }) => {
    const count = 80;
    for (let index = 0; index < count; index += 1) {
      await make(api.ask).segment(`long-${String(index).padStart(2, '0')}`);
    }
    await visit('/segments?query=long-');
    await row(page, 'long-00').getByRole('button', { name: 'Not used by any feature' }).waitFor();
    const rows = page.getByRole('listitem', { name: /^long-/ });
    expect(await rows.count()).toBeLessThan(count / 2);
    expect(await rows.first().getAttribute('aria-setsize')).toBe(String(count));
    const last = row(page, `long-${count - 1}`);
    await expect
      .poll(
        async () => {
          await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
          return last.isVisible();
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    expect(await row(page, 'long-00').count()).toBe(0);
    await page.getByLabel('Search segments').fill('long-41');
    await row(page, 'long-41').waitFor();
  });

  test('a viewer sees everything, and why nothing can be changed', async ({ page, visit }) => {
    await visit('/strategies', { rootRole: 3 });
    const create = page.getByRole('button', { name: 'New strategy type' });
    await create.waitFor();
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await create.hover();
    await page.getByText(/You need “.*” \(CREATE_STRATEGY\)/).waitFor();
    for (const [path, name] of [
      ['/segments', 'New segment'],
      ['/context', 'New context field'],
      ['/tag-types', 'New tag type'],
      ['/environments', 'New environment'],
      ['/feature-toggle-type', 'Edit lifetime of Release'],
    ] as const) {
      await moveTo(page, path);
      const button = page.getByRole('button', { name });
      await button.waitFor();
      expect([path, await button.getAttribute('aria-disabled')]).toEqual([path, 'true']);
    }
  });
});
