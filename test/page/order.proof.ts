import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { faultsOf, wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest } from '../support/page-test.ts';

const test = pageTest();

const shownStrategies = (page: Page) =>
  page
    .getByRole('region', { name: 'development' })
    .getByRole('button', { name: /^Edit strategy: / })
    .allInnerTexts();

const handle = (page: Page, place: number) =>
  page.getByRole('button', { name: `Reorder strategy ${place} of 3 (use arrow keys)` });

const shownEnvironments = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Move / })
    .evaluateAll((handles) =>
      handles.map((each) =>
        (each as unknown as { ariaLabel: string }).ariaLabel.replace('Move ', ''),
      ),
    );

withBrowser('the order', () => {
  test('of strategies changes by drag and drop and by arrow keys, and is saved after a review', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('ordered');
    for (const title of ['One', 'Two', 'Three']) {
      await make(api.ask).strategy('ordered', { title });
    }
    const address = '/projects/default/features/ordered';
    await visit(address);
    await expect.poll(() => shownStrategies(page)).toEqual(['One', 'Two', 'Three']);
    const last = page.getByRole('button', { name: 'Edit strategy: Three' });
    await handle(page, 1).dragTo(last);
    await expect.poll(() => shownStrategies(page)).toEqual(['Two', 'Three', 'One']);

    // The handle keeps the focus, so that keys can follow each other.
    await handle(page, 1).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => shownStrategies(page)).toEqual(['Three', 'Two', 'One']);
    await handle(page, 2).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => shownStrategies(page)).toEqual(['Three', 'One', 'Two']);
    await handle(page, 3).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => shownStrategies(page)).toEqual(['Three', 'Two', 'One']);
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);

    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('1 change to ordered saved').waitFor();
    const saved = await api.ask(`GET /api/admin${address}/environments/development/strategies`);
    expect(saved.json().map(({ title }: { title: string }) => title)).toEqual([
      'Three',
      'Two',
      'One',
    ]);

    // Those who may not change strategies get no handles.
    await visit(address, { rootRole: 3 });
    await page.getByRole('button', { name: 'View strategy: Two' }).waitFor();
    expect(await page.getByRole('button', { name: /^Reorder/ }).count()).toBe(0);
  });

  test('of environments changes by drag and drop and by arrow keys, with Undo', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).environment('staging');
    const saved = async () =>
      (await api.ask('GET /api/admin/environments'))
        .json()
        .environments.map(({ name }: { name: string }) => name);
    const move = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
    const before = await saved();
    const [first = '', second = '', third = ''] = before;
    await visit('/environments');
    await expect.poll(() => shownEnvironments(page)).toEqual(before);
    await move(first).dragTo(page.getByRole('listitem', { name: third, exact: true }));
    await page.getByText(`${first} moved to position 3 of 3`).waitFor();
    await expect.poll(saved).toEqual([second, third, first]);
    await expect.poll(() => shownEnvironments(page)).toEqual([second, third, first]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(saved).toEqual(before);
    await expect.poll(() => shownEnvironments(page)).toEqual(before);

    await move(first).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => shownEnvironments(page)).toEqual([second, first, third]);
    await move(first).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(saved).toEqual([second, third, first]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect.poll(saved).toEqual(before);
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);

    // The order of columns on the page of a feature is the same.
    await make(api.ask).feature('in-order');
    await moveTo(page, '/projects/default/features/in-order');
    const columns = page.getByRole('main').getByRole('heading', { level: 2 });
    await expect
      .poll(() => columns.allInnerTexts())
      .toEqual(expect.arrayContaining(['development', 'production']));

    await visit('/environments', { rootRole: 3 });
    expect(await move(first).getAttribute('aria-disabled')).toBe('true');
    await move(first).press('ArrowDown');
    await move(first).hover();
    await page.getByText(/You need “.*” \(ADMIN\)/).waitFor();
    expect(await saved()).toEqual(before);
  });
});
