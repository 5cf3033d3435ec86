import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { featuresOn } from '../support/features.ts';
import { firefoxPage, withFirefox } from '../support/firefox.ts';
import { make } from '../support/make.ts';
import { fillSignIn, moveTo, untilLive } from '../support/page-test.ts';
import { newcomer } from '../support/visitor.ts';

const control = (page: Page, name: string) => page.getByRole('switch', { name });

/** By how much a page is wider than its window without the scrollbar. */
const overflowOf = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const titlesIn = (page: Page, environment: string) =>
  page
    .getByRole('region', { name: environment })
    .getByRole('button', { name: /^Edit strategy: / })
    .allInnerTexts();

/** Types instead of using `fill`, which React does not notice in Firefox. */
async function type(field: Locator, text: string) {
  await field.press('ControlOrMeta+a');
  await field.pressSequentially(text);
}

/** Drags over something, which marks it. Firefox without a window never drops what a test drags. */
async function dragOver(page: Page, from: Locator, to: Locator) {
  await from.hover();
  await page.mouse.down();
  await to.hover();
  await to.hover({ position: { x: 5, y: 5 } });
  await page.locator('[data-target]').waitFor();
  await page.mouse.up();
  await page.reload();
}

/** The tests share a window and follow each other, because Firefox starts slowly. */
withFirefox('Firefox', () => {
  let place: Awaited<ReturnType<typeof firefoxPage>>;

  beforeAll(async () => {
    place = await firefoxPage();
  });

  test('signs in, and creates the first feature', async () => {
    const { api, origin, page } = place;
    const { username } = await newcomer(api, { rootRole: 1 });
    await page.goto(`${origin}/search`);
    await fillSignIn(page, username);
    await page.waitForURL(`${origin}/search`);
    await page.getByText('No features yet').waitFor();
    await untilLive(page);
    await page.getByRole('button', { name: 'New feature' }).first().click();
    await type(page.getByLabel('Name'), 'first-flag');
    await page.getByRole('img', { name: 'Name is available' }).waitFor();
    await page.getByLabel('development').check();
    await page.getByRole('button', { name: 'Create feature' }).click();
    await page.waitForURL(`${origin}/projects/default/features/first-flag`);
    await page.getByRole('heading', { level: 1, name: 'first-flag' }).waitFor();
    expect(await featuresOn(api).isOn('first-flag', 'development')).toBe(true);
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByText("unleash.isEnabled('first-flag', context)").waitFor();
  });

  test('toggles a feature, with Undo, and asks first in production', async () => {
    const { api, page } = place;
    await moveTo(page, '/search');
    await control(page, 'first-flag in development').click();
    await page.getByText('first-flag disabled in development').waitFor();
    await expect.poll(() => featuresOn(api).isOn('first-flag', 'development')).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => featuresOn(api).isOn('first-flag', 'development')).toBe(true);
    await control(page, 'first-flag in production').press('Space');
    await page.getByText('Not evaluated in the last 7 days').waitFor();
    await page.getByRole('button', { name: 'Enable', exact: true }).press('Enter');
    await expect.poll(() => featuresOn(api).isOn('first-flag', 'production')).toBe(true);
    await expect.poll(() => control(page, 'first-flag in production').isChecked()).toBe(true);
  });

  test('saves a strategy after a review', async () => {
    const { api, page } = place;
    await make(api.ask).feature('slow-start');
    await moveTo(page, '/projects/default/features/slow-start');
    await page.getByRole('button', { name: 'Add strategy to production' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit strategy · production' });
    await type(editor.getByLabel('Rollout in percent'), '10');
    await editor.getByRole('button', { name: 'Add constraint' }).click();
    await page.getByRole('combobox', { name: 'Context field' }).last().click();
    await page.getByRole('option', { name: 'userId' }).click();
    await type(editor.getByLabel('Values for userId'), 'ann');
    await editor.getByLabel('Values for userId').press('Enter');
    await editor.getByRole('button', { name: 'Add variant' }).click();
    await type(editor.getByLabel('Variant 1 name'), 'blue');
    // A reload keeps unsaved input.
    await page.reload();
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await type(review.getByLabel('Comment'), 'The first ones');
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('1 change to slow-start saved').waitFor();
    const { environments } = await featuresOn(api).read('slow-start');
    const inProduction = environments.find(({ name }: { name: string }) => name === 'production');
    expect(inProduction.strategies).toMatchObject([
      { parameters: { rollout: '10' }, variants: [{ name: 'blue' }] },
    ]);
  });

  test('drags strategies and environments, and reorders them by arrow keys', async () => {
    const { api, page } = place;
    await make(api.ask).feature('ordered');
    for (const title of ['One', 'Two', 'Three']) await make(api.ask).strategy('ordered', { title });
    await moveTo(page, '/projects/default/features/ordered');
    await expect.poll(() => titlesIn(page, 'development')).toEqual(['One', 'Two', 'Three']);
    const handle = page.getByRole('button', { name: 'Reorder strategy 1 of 3 (use arrow keys)' });
    await dragOver(page, handle, page.getByRole('button', { name: 'Edit strategy: Three' }));
    await handle.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => titlesIn(page, 'development')).toEqual(['Two', 'Three', 'One']);
    await page.getByRole('button', { name: 'Discard' }).click();

    await moveTo(page, '/environments');
    const move = page.getByRole('button', { name: 'Move development' });
    await dragOver(page, move, page.getByRole('listitem', { name: 'production', exact: true }));
    await move.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('development moved to position 2 of 2').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await api.ask('GET /api/admin/environments')).json().environments)
      .toMatchObject([{ name: 'development' }, { name: 'production' }]);
  });

  test('searches the event log, and opens an event', async () => {
    const { page } = place;
    await moveTo(page, '/history');
    await type(page.getByLabel('Search events'), 'type:feature-created feature:first-flag');
    await page.keyboard.press('Enter');
    await page
      .getByRole('status')
      .getByText(/^1 (of \d+ events|event)$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.has('event'));
    const event = page.getByRole('complementary', { name: 'Event details' });
    await event.getByText('first-flag').first().waitFor();
    await page.goBack();
    await event.waitFor({ state: 'hidden' });
  });

  test('creates a webhook, and clones a feature', async () => {
    const { api, origin, page } = place;
    await moveTo(page, '/integrations/create/webhook');
    await page.getByRole('heading', { level: 1, name: 'New Webhook integration' }).waitFor();
    await type(
      page.getByLabel('URL', { exact: false }).first(),
      'https://hooks.example.com/burgee',
    );
    await page.getByRole('button', { name: 'Create integration' }).click();
    await expect
      .poll(async () => (await api.ask('GET /api/admin/addons')).json().addons)
      .toMatchObject([{ provider: 'webhook' }]);

    await moveTo(page, '/projects/default/features/slow-start');
    await page.getByRole('button', { name: 'Clone…' }).click();
    const dialog = page.getByRole('dialog', { name: /Clone/ });
    await type(dialog.getByRole('textbox', { name: 'New name' }), 'the-copy');
    await dialog.getByRole('button', { name: 'Clone feature', exact: true }).click();
    await page.waitForURL(`${origin}/projects/default/features/the-copy`);
    await page.getByRole('button', { name: /^Edit strategy: 10% of user ann/ }).waitFor();
  });

  test('shows pages that fit on a phone and comply with the content security policy', async () => {
    const { complaints, page } = place;
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [path, heading] of [
      ['/search', 'Features'],
      ['/projects/default/features/slow-start', 'slow-start'],
      ['/history', 'Event log'],
      ['/integrations', 'Integrations'],
    ] as const) {
      await moveTo(page, path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await expect.poll(() => overflowOf(page)).toBe(0);
    }
    expect(complaints.list).toEqual([]);
  });
});
