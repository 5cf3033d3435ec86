import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { faultsOf, wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest } from '../support/page-test.ts';

const test = pageTest();

const viewer = { rootRole: 3 };
const memberOf = (project: string) => ({ rootRole: 3, roles: { [project]: 5 } });
const ownerOf = (...projects: string[]) => ({
  rootRole: 3,
  roles: Object.fromEntries(projects.map((project) => [project, 4])),
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

const projectOf = async (api: TestApp, name: string) => {
  const found = await api.ask(`GET /api/admin/search/features?query=${name}`);
  return found.json().features.find((each: { name: string }) => each.name === name)?.project;
};

/** Opens the dialog that moves the selected features. */
async function chooseTarget(page: Page, project: string) {
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Move to project…' }).click();
  await dialog(page).getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: project, exact: true }).click();
}

const fileOf = (content: unknown, name = 'export.json') => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

withBrowser('features', () => {
  test.beforeAll(async ({ api }) => {
    for (const project of ['old-home', 'new-home', 'hidden-home']) {
      await make(api.ask).project(project, {
        ...(project === 'hidden-home' && { mode: 'private' }),
      });
    }
  });

  test('move to another project, and those that would lose something stay', async ({
    api,
    page,
    origin,
    visit,
  }) => {
    await make(api.ask).project('narrow-home', { environments: ['development'] });
    for (const name of ['free', 'bound'])
      await make(api.ask).feature(name, { project: 'old-home' });
    const segment = await make(api.ask).segment('of the old home', { project: 'old-home' });
    await make(api.ask).strategy('bound', { segments: [segment.id] }, { project: 'old-home' });

    // Owners of both projects may; a private project that they can't see is no target.
    await visit('/projects/old-home', ownerOf('old-home', 'new-home'));
    for (const name of ['free', 'bound']) await page.getByLabel(`Select ${name}`).click();
    await chooseTarget(page, 'new-home');
    await dialog(page).getByText("1 will be moved to new-home · 1 can't be changed").waitFor();
    await dialog(page).getByText('of the old home').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    }
    await dialog(page).getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'new-home' }).waitFor();
    expect(await page.getByRole('option', { name: 'hidden-home' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Move 1 feature to new-home' }).click();
    await dialog(page).getByText("1 moved to new-home · 1 can't be changed").waitFor();
    await button(page, 'Close').last().click();
    await page.getByRole('link', { name: 'free', exact: true }).waitFor({ state: 'detached' });
    expect(await projectOf(api, 'free')).toBe('new-home');
    expect(await projectOf(api, 'bound')).toBe('old-home');

    // From its page, to where it leads.
    await moveTo(page, '/projects/new-home/features/free');
    await page.getByRole('button', { name: 'Actions for free' }).click();
    await page.getByRole('menuitem', { name: 'Move to project…' }).click();
    await dialog(page).getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'old-home' }).click();
    await dialog(page).getByRole('button', { name: 'Move 1 feature to old-home' }).click();
    await page.waitForURL(`${origin}/projects/old-home/features/free`);
    await page.getByRole('switch', { name: 'free in development' }).waitFor();
    await page.getByRole('tab', { name: 'Event log' }).click();
    await page.getByText(/moved free from new-home to old-home$/).waitFor();
  });

  test('cannot be moved by viewers or by members of only one project, who see why', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('kept', { project: 'old-home' });
    for (const who of [viewer, memberOf('new-home')]) {
      await visit('/projects/old-home/features/kept', who);
      await page.getByRole('button', { name: 'Actions for kept' }).click();
      const move = page.getByRole('menuitem', { name: 'Move to project…' });
      expect(await move.getAttribute('aria-disabled')).toBe('true');
      expect(await move.getAttribute('aria-description')).toContain('MOVE_FEATURE_TOGGLE');
      await page.keyboard.press('Escape');
    }
    // The owner of only one of the two projects.
    await visit('/projects/old-home', ownerOf('old-home'));
    await page.getByLabel('Select kept').click();
    await chooseTarget(page, 'new-home');
    await dialog(page).getByText("1 can't be changed").waitFor();
    await dialog(page)
      .getByText(/MOVE_FEATURE_TOGGLE/)
      .waitFor();
    expect(
      await dialog(page)
        .getByRole('button', { name: /^Move 0 features/ })
        .isDisabled(),
    ).toBe(true);
  });

  test('are imported from a file after a preview, only by users with permission', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).project('import-home');
    const document = {
      features: [{ name: 'from-file', type: 'release' }],
      featureStrategies: [{ featureName: 'from-file', name: 'default' }],
      featureEnvironments: [{ featureName: 'from-file', enabled: true }],
    };
    const address = '/projects/import-home/settings/import-export?tab=import';
    const names = async () =>
      (await api.ask('GET /api/admin/projects/import-home/features'))
        .json()
        .features.map(({ name }: { name: string }) => name);
    const upload = async (content: unknown) => {
      const chooser = page.waitForEvent('filechooser');
      await button(page, 'Upload file').click();
      // Empty, because a browser doesn't report the file that is chosen already.
      expect(await (await chooser).element().inputValue()).toBe('');
      await (await chooser).setFiles(fileOf(content));
    };

    for (const who of [viewer, memberOf('new-home')]) {
      await visit(address, who);
      const preview = button(page, 'Preview import');
      await preview.waitFor();
      expect(await preview.getAttribute('aria-disabled')).toBe('true');
      await preview.hover();
      await page
        .getByText(/You need .* in project import-home/)
        .first()
        .waitFor();
    }

    await visit(address, memberOf('import-home'));
    await upload('{ "features": [');
    await button(page, 'Preview import').click();
    await page.getByText("Can't import this file").waitFor();
    // The same file again, repaired.
    await upload(document);
    await expect.poll(() => page.getByLabel('Export JSON').inputValue()).toContain('from-file');
    await page.getByText("Can't import this file").waitFor({ state: 'hidden' });
    await button(page, 'Preview import').click();
    const preview = page.getByRole('region', { name: 'Import preview' });
    await preview.getByText('Enable 1 feature in development').waitFor();
    await preview.getByRole('button', { name: /Create 1 feature/ }).click();
    await preview.getByText('from-file', { exact: true }).first().waitFor();
    expect(await names()).toEqual([]);
    for (const width of [1024, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    await button(page, 'Import into development').click();
    await page.getByText('1 feature enabled in development').waitFor();
    await page.getByRole('link', { name: 'View features' }).click();
    await page.getByRole('link', { name: 'from-file', exact: true }).waitFor();
    expect(await names()).toEqual(['from-file']);
  });
});
