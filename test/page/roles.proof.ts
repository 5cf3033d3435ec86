import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { faultsOf, wcag } from '../support/axe.ts';
import { patienceMs, withBrowser } from '../support/browser.ts';
import { delivery, happened } from '../support/deliveries.ts';
import { featuresOn } from '../support/features.ts';
import { makeWebhook } from '../support/integrations.ts';
import { make } from '../support/make.ts';
import {
  complaintsOf,
  locationOf,
  moveTo,
  pageTest,
  selectedInPalette,
  untilLive,
} from '../support/page-test.ts';
import { programs, tokenFor } from '../support/usage.ts';

const test = pageTest();

const shop = '/projects/shop/features/basket';
const vault = '/projects/vault/features/safe';

/** A root role, and roles in both projects. */
const viewer = { rootRole: 3 };
const member = { rootRole: 3, roles: { shop: 5, vault: 5 } };
const owner = { rootRole: 3, roles: { shop: 4, vault: 4 } };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const toggle = (page: Page, name: string) => page.getByRole('switch', { name });
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

const describeBasket = (api: TestApp, description: string) =>
  api.ask(`PUT /api/admin${shop}`, {
    payload: { name: 'basket', type: 'release', description },
  });

/** The list of features with the keyboard on one of them. */
async function focusRow(page: Page, name: string) {
  await page.getByRole('link', { name, exact: true }).waitFor();
  await page.keyboard.press('j');
}

async function saveView(page: Page, name: string, isShared: boolean) {
  await button(page, 'Views').click();
  await item(page, 'Save as new view…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  if (isShared) await dialog.getByRole('checkbox').check();
  await button(page, 'Save view').click();
  await button(page, name).waitFor();
}

withBrowser('the UI', () => {
  test.beforeAll(async ({ api }) => {
    await make(api.ask).project('shop', { name: 'Shop' });
    await make(api.ask).project('vault', { name: 'Vault', mode: 'private' });
    await make(api.ask).feature('basket', { project: 'shop' });
    await make(api.ask).feature('safe', { project: 'vault' });
    await make(api.ask).strategy(
      'basket',
      { parameters: { rollout: '25', stickiness: 'default', groupId: 'basket' } },
      { project: 'shop', environment: 'production' },
    );
    await make(api.ask).switchedOn('basket', { project: 'shop', environment: 'production' });
    const token = await tokenFor(api, ['shop'], 'production');
    await programs(api).metrics({ basket: { yes: 62_500, no: 187_500 } }, { token });
  });

  test('lets a member create a segment of a project, and says to a viewer why that needs a permission', async ({
    page,
    visit,
  }) => {
    await visit('/segments', viewer);
    const create = button(page, 'New segment');
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await moveTo(page, '/segments/create');
    await page
      .getByText(/^You need .*segment/i)
      .first()
      .waitFor();
    const name = page.getByRole('textbox', { name: 'Name' });
    expect(await name.isDisabled()).toBe(true);

    await visit('/segments', member);
    await create.click();
    await name.fill('regulars');
    await page.getByRole('combobox', { name: 'Available in' }).click();
    await page.getByRole('option', { name: 'Shop only' }).click();
    await button(page, 'Create segment').click();
    await page.getByText('Segment regulars created').waitFor();
  });

  test('lets a viewer read, filter, save views and follow, and says why the rest is disabled', async ({
    api,
    page,
    visit,
  }) => {
    await visit('/search?columns=env:development%2Cenv:production', viewer);
    await focusRow(page, 'basket');
    expect(await page.getByRole('link', { name: 'safe', exact: true }).count()).toBe(0);
    await page
      .getByRole('row', { name: /basket/ })
      .getByText('25%')
      .waitFor();
    expect(await toggle(page, 'basket in production').isDisabled()).toBe(true);

    // Keys of the row.
    await page.keyboard.press('a');
    await alert(page, "Couldn't archive basket")
      .getByText(/DELETE_FEATURE/)
      .waitFor();
    await page.keyboard.press('c');
    await alert(page, "Couldn't clone basket")
      .getByText(/CREATE_FEATURE/)
      .waitFor();
    await page.keyboard.press('f');
    await button(page, 'Favorite basket').and(page.locator('[aria-pressed=true]')).waitFor();
    await page.keyboard.press('s');
    const switches = page.getByRole('dialog', { name: 'Enable or disable basket' });
    await switches.waitFor();
    expect(await toggle(page, 'basket in development').last().isDisabled()).toBe(true);
    await switches.getByText('Enabled').or(switches.getByText('25%')).first().waitFor();
    await page.keyboard.press('Escape');

    // Quick filters and a private view.
    await button(page, 'Enabled in production').click();
    await page.getByRole('link', { name: 'basket', exact: true }).waitFor();
    await button(page, 'Mine').click();
    await page.getByText('No matching features').waitFor();
    await button(page, 'Mine').click();
    await saveView(page, 'Live ones', false);
    const views = (await api.ask('GET /api/admin/saved-views?page=features')).json().views;
    expect(views).toEqual([]);

    // The palette.
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search or run a command' })
      .fill('disable basket in production');
    await selectedInPalette(page, 'Disable in production')
      .getByText(/UPDATE_FEATURE_ENVIRONMENT/)
      .waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(await featuresOn(api).isOn('basket', 'production', 'shop')).toBe(true);

    // The page of the feature.
    await moveTo(page, `${shop}?tab=code`);
    await page.getByText("unleash.isEnabled('basket', context)").waitFor();
    const create = button(page, 'Create token');
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await page.getByText("Tokens of this project aren't listed.").waitFor();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    await moveTo(page, shop);
    const ownerField = page.getByRole('combobox', { name: 'Owner' });
    expect(await ownerField.getAttribute('readonly')).not.toBeNull();
    await ownerField.click();
    expect(await page.getByRole('option').count()).toBe(0);
    expect(await page.locator('input[type=date]').getAttribute('readonly')).not.toBeNull();
    await button(page, 'Follow').click();
    await button(page, 'Following').waitFor();

    // What is hidden stays hidden, also by its URL.
    await moveTo(page, vault);
    await page
      .getByText('Project not found')
      .or(page.getByText(/vault.*not found/i))
      .first()
      .waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.getByText(/you can clean up/).count()).toBe(0);
  });

  test('shows a member the impact in production before they confirm', async ({
    api,
    page,
    visit,
  }) => {
    await visit('/projects/shop?columns=env:production', member);
    const impact = 'Enabled for 25% of about 250,000 evaluations per day';
    for (const [colorScheme, width] of [
      ['light', 1024],
      ['dark', 1024],
      ['dark', 360],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await toggle(page, 'basket in production').click();
      await expect
        .poll(async () => {
          const { x = -1, width: own = 0 } = (await page.getByText(impact).boundingBox()) ?? {};
          return x >= 0 && x + own <= width;
        })
        .toBe(true);
      expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
      await button(page, 'Cancel').click();
      await page.getByText(impact).waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await toggle(page, 'basket in production').click();
    await button(page, 'Disable').click();
    await page.getByText('basket disabled in production').waitFor();
    await button(page, 'Undo').click();
    await expect.poll(() => featuresOn(api).isOn('basket', 'production', 'shop')).toBe(true);
    // A switch that is still shown as off would not ask.
    await expect.poll(() => toggle(page, 'basket in production').isChecked()).toBe(true);

    // So does the switch that a key opens. Escape closes one after the other.
    for (const key of ['j', 's']) await page.keyboard.press(key);
    const switches = page.getByRole('dialog', { name: 'Enable or disable basket' });
    await switches.getByRole('switch', { name: 'basket in production' }).press('Space');
    await page.getByText(impact).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(impact).waitFor({ state: 'detached' });
    await switches
      .getByRole('switch', { name: 'basket in production' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Escape');
    await switches.waitFor({ state: 'detached' });

    // The palette asks as well, and says the same.
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search or run a command' })
      .fill('disable basket in production');
    await selectedInPalette(page, 'Disable in production').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(`${impact} · Press Enter to confirm`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await featuresOn(api).isOn('basket', 'production', 'shop')).toBe(true);

    // Members see the private project; a view shared there is seen by its members alone.
    await moveTo(page, '/projects/vault?sortBy=name');
    await page.getByRole('link', { name: 'safe', exact: true }).waitFor();
    await saveView(page, 'In the vault', true);
    const { searchParams } = await locationOf(page);
    expect(searchParams.get('view')).not.toBeNull();
    await visit('/projects/vault', owner);
    await button(page, 'Views').click();
    await page.getByRole('menuitem', { name: /^In the vault/ }).click();
    await button(page, 'In the vault').click();
    const rename = item(page, 'Rename…');
    expect(await rename.getAttribute('aria-description')).toBe(
      'Only the author and admins can change a shared view',
    );
    await visit('/search', viewer);
    await button(page, 'Views').click();
    await page.getByText('No views yet').or(page.getByText('My views')).first().waitFor();
    expect(await page.getByRole('menuitem', { name: /^In the vault/ }).count()).toBe(0);

    // The same in the log of the project.
    await visit('/projects/vault/logs?q=type:feature-created', member);
    await saveView(page, 'Created in the vault', true);
    await visit('/projects/vault/logs', owner);
    await button(page, 'Views').click();
    await page.getByRole('menuitem', { name: /^Created in the vault/ }).click();
    await page.waitForURL(/q=type(:|%3A)feature-created/);
    await button(page, 'Created in the vault').waitFor();
    await visit('/history', viewer);
    await button(page, 'Views').click();
    await item(page, 'Access changes').waitFor();
    expect(await page.getByRole('menuitem', { name: /vault/ }).count()).toBe(0);

    // Admins may change it.
    await visit('/projects/vault');
    await button(page, 'Views').click();
    await page.getByRole('menuitem', { name: /^In the vault/ }).click();
    await button(page, 'In the vault').click();
    await item(page, 'Delete…').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Delete/ })
      .click();
    await button(page, 'Views').waitFor();
  });

  test('lets an owner choose owner, expiry and token; the owner finds the feature under Mine', async ({
    api,
    page,
    visit,
  }) => {
    const { id } = await visit(shop, owner);
    await page.getByRole('combobox', { name: 'Owner' }).click();
    await page.getByRole('option', { name: '(you)' }).click();
    await expect
      .poll(async () => (await featuresOn(api).read('basket', 'shop')).owner)
      .toMatchObject({ type: 'user', id });
    const expiry = page.locator('input[type=date]');
    await expiry.fill('2099-03-03');
    await expiry.press('Enter');
    await page
      .getByText(/Expir.*Mar 3, 2099/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Code' }).click();
    await button(page, 'Create token').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: false }).fill('till');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = (await page.getByTestId('secret').textContent()) ?? '';
    expect(secret).toMatch(/^shop:development\./);
    await moveTo(page, '/search?columns=owner');
    await button(page, 'Mine').click();
    const row = page.getByRole('row', { name: /basket/ });
    await row.waitFor();

    // Times are in UTC everywhere, also after a reload and in another tab.
    await button(page, 'Account menu').click();
    await item(page, 'Show times in UTC').click();
    await page.getByText('UTC', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('UTC', { exact: true }).waitFor();
    await button(page, 'Account menu').click();
    await item(page, 'Show times in local time').click();
    await page.getByText('UTC', { exact: true }).waitFor({ state: 'hidden' });
  });

  test('notifies followers of changes, on every device until the notifications are read', async ({
    api,
    browser,
    origin,
    page,
    visit,
  }) => {
    await visit(shop, member);
    await button(page, 'Follow').click();
    await button(page, 'Following').waitFor();
    await untilLive(page);
    const [session] = await page.context().cookies(origin);
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(patienceMs);
    if (session) await context.addCookies([session]);
    const phone = await context.newPage();
    const complaints = complaintsOf(phone);
    await phone.setViewportSize({ width: 360, height: 740 });
    await phone.goto(`${origin}/`);
    await untilLive(phone);

    await describeBasket(api, 'For everything one buys');
    for (const device of [page, phone]) await button(device, 'Notifications, 1 unread').waitFor();
    await button(phone, 'Notifications, 1 unread').click();
    const list = phone.getByRole('list', { name: 'Notifications, newest first' });
    await list.getByText('Unread: ').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await phone.emulateMedia({ colorScheme });
      expect(await faultsOf(phone, { runOnly: wcag })).toEqual([]);
    }
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
    // Another tab of the same browser knows at once.
    const tab = await context.newPage();
    await tab.goto(`${origin}/profile`);
    await button(tab, 'Notifications, 1 unread').waitFor();
    await phone.bringToFront();
    await button(phone, 'Mark all as read').click();
    for (const each of [phone, tab]) await button(each, 'Notifications').waitFor();
    // The other device asks again when its window is looked at.
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await button(page, 'Notifications').waitFor();

    // Users get no notifications of their own changes.
    await toggle(page, 'basket in development').click();
    await page.getByText('basket enabled in development').waitFor();
    await describeBasket(api, 'For everything that someone buys');
    await button(page, 'Notifications, 1 unread').waitFor();
    expect(complaints.list).toEqual([]);
    await context.close();
  });

  test('shows each role how much it can clean up, and failing integrations and unknown flags', async ({
    api,
    page,
    visit,
  }) => {
    await api.ask(`PATCH /api/admin${shop}`, {
      payload: [{ op: 'replace', path: '/stale', value: true }],
    });
    await api.ask(`PATCH /api/admin${vault}`, {
      payload: [{ op: 'replace', path: '/stale', value: true }],
    });
    await programs(api).metrics({ 'no-such-flag': { yes: 1, no: 0 } });
    const { id } = await makeWebhook(api.ask, { url: 'https://hooks.example.com' });
    const eventId = await happened(api, { project: 'shop', featureName: 'basket' });
    const recordId = await delivery(api, id, { eventId, state: 'givenUp' });
    const trouble = { at: new Date().toISOString(), recordId, message: 'Status 500' };
    await api.db
      .updateTable('integrations')
      .set({ trouble: JSON.stringify(trouble) })
      .where('id', '=', id)
      .execute();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    for (const [who, toCleanUp] of [
      [viewer, undefined],
      [{ rootRole: 3, roles: { shop: 5 } }, '1 feature you can clean up'],
      [owner, '2 features you can clean up'],
      [{}, '2 features you can clean up'],
    ] as const) {
      await visit('/', who);
      await navigation.getByText('1 failing integration').waitFor();
      await navigation.getByText('1 unknown flag').waitFor();
      if (toCleanUp === undefined) expect(await navigation.getByText(/clean up/).count()).toBe(0);
      else await navigation.getByText(toCleanUp).waitFor();
      // The installation is set up, whatever they see of it.
      await page.getByRole('region', { name: 'Recent activity' }).waitFor();
      expect(await page.getByText('Four steps to your first feature').count()).toBe(0);
    }
  });
});
