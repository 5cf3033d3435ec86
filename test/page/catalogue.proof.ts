import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest, untilLive } from '../support/page-test.ts';

const test = pageTest();

const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

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
    const pages = page.getByRole('navigation', { name: 'Configuration' });
    const place = await pages.boundingBox();
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
      // The list of pages stays in its place.
      expect(await pages.boundingBox()).toMatchObject(place ?? {});
    }
  });

  test('an environment is created and moved with the keyboard, and lifetimes change with undo', async ({
    api,
    page,
    visit,
  }) => {
    await visit('/environments');
    await page.getByRole('button', { name: 'New environment' }).click();
    await dialog(page).getByLabel('Name', { exact: false }).first().fill('staging');
    await dialog(page).getByRole('button', { name: 'Create environment' }).click();
    await row(page, 'staging').getByText('Not used by any project').waitFor();
    const order = async () =>
      (await api.ask('GET /api/admin/environments'))
        .json()
        .environments.map(({ name }: { name: string }) => name);
    expect(await order()).toEqual(['development', 'production', 'staging']);
    await page.getByRole('button', { name: 'Move staging' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('staging moved to position 2 of 3').waitFor();
    expect(await order()).toEqual(['development', 'staging', 'production']);
    await page.getByRole('button', { name: 'Delete production' }).click();
    await page.getByRole('dialog', { name: "Can't delete production" }).waitFor();
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();

    // Nothing in the list looks as if it disabled the environment.
    expect(await page.getByRole('switch').count()).toBe(0);
    await page.getByRole('button', { name: 'Edit staging' }).click();
    await dialog(page).getByRole('checkbox', { name: 'Add to new projects' }).uncheck();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row(page, 'staging').getByText('Not in new projects').waitFor();
    const staging = (await api.ask('GET /api/admin/environments/staging')).json();
    expect(staging).toMatchObject({ enabled: false, type: 'development' });

    await moveTo(page, '/feature-toggle-type');
    await page.getByRole('button', { name: 'Edit lifetime of Release' }).click();
    await dialog(page).getByLabel('Expected lifetime (days)').fill('60');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row(page, 'Release').getByText('60 days').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row(page, 'Release').getByText('40 days').waitFor();
  });

  test('a context field is created by a form that shows errors, and cannot be deleted while in use', async ({
    api,
    page,
    visit,
  }) => {
    const constraints = [{ contextName: 'tenant', operator: 'IN', values: ['1'] }];
    await make(api.ask).segment('Tenants', { constraints });
    await api.ask('POST /api/admin/context', { payload: { name: 'plain' } });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/admin/context')) {
        sent.push(request.url());
      }
    });
    await visit('/context/create');
    const name = dialog(page).getByLabel('Name', { exact: false }).first();
    const create = dialog(page).getByRole('button', { name: 'Create context field' });
    await dialog(page).getByLabel('Description', { exact: true }).fill('typed before');
    await name.fill('two words');
    await create.click();
    const fault = dialog(page).getByText(/^Must be 1 to 100 characters of A-Z/);
    await fault.waitFor();
    expect(sent).toEqual([]);

    await name.fill('userId');
    await fault.waitFor({ state: 'detached' });
    await create.click();
    await dialog(page).getByRole('alert').waitFor();
    expect(sent).toHaveLength(1);
    expect(await dialog(page).getByLabel('Description', { exact: true }).inputValue()).toBe(
      'typed before',
    );

    await name.fill('tenant');
    await dialog(page).getByRole('button', { name: 'Add value' }).click();
    await dialog(page).getByLabel('Value 1', { exact: true }).fill('1');
    await dialog(page).getByLabel('Description of value 1').fill('The first one');
    await create.click();
    await page.getByText('Context field tenant created').waitFor();
    await row(page, 'tenant').getByText('1 legal value').waitFor();
    expect(await row(page, 'plain').textContent()).toBe('plainNot used in constraints');

    await page.getByRole('button', { name: 'Delete tenant' }).click();
    await page.getByRole('dialog', { name: "Can't delete tenant" }).waitFor();
    await dialog(page).getByRole('link', { name: 'Tenants' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();

    await page.getByRole('button', { name: 'Delete sessionId' }).click();
    await dialog(page).getByRole('button', { name: 'Delete context field' }).click();
    await row(page, 'sessionId').waitFor({ state: 'detached' });
    expect((await api.ask('GET /api/admin/context/sessionId')).statusCode).toBe(404);
  });

  test('a segment shows its usage, cannot be deleted while in use, and reports changes by others', async ({
    api,
    page,
    visit,
  }) => {
    const things = make(api.ask);
    await api.ask('POST /api/admin/context', {
      payload: { name: 'country', legalValues: [{ value: 'NO' }, { value: 'SE' }] },
    });
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }];
    const { id } = await things.segment('Nordics', { constraints });
    await things.feature('fjord-cruise');
    const where = { environment: 'production' };
    await things.strategy('fjord-cruise', { segments: [id] }, where);
    await things.switchedOn('fjord-cruise', where);

    await visit('/segments');
    const nordics = row(page, 'Nordics');
    await nordics.getByRole('button', { name: 'Used by 1 feature' }).click();
    await nordics.getByRole('link', { name: 'fjord-cruise' }).waitFor();
    await nordics.getByText('production · Enabled').waitFor();

    await nordics.getByRole('button', { name: 'Delete Nordics' }).click();
    await dialog(page).getByText("It's still in use.").waitFor();
    await dialog(page).getByRole('link', { name: 'fjord-cruise' }).waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Delete segment' }).count()).toBe(0);
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();

    await nordics.getByRole('button', { name: 'Edit Nordics' }).click();
    await page.getByRole('heading', { name: 'Nordics', level: 1 }).waitFor();
    await page.getByText('1 of 30 constraints · 1 of 7,500 values').waitFor();
    await page.getByRole('combobox', { name: 'Values for country' }).click();
    await page.getByRole('option', { name: 'SE' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await dialog(page).getByText('Affects 1 feature').waitFor();
    await dialog(page).getByText('1 feature enabled. Targeting changes').waitFor();
    await dialog(page).getByText('production · Enabled').waitFor();
    await dialog(page).getByRole('button', { name: 'Save segment' }).click();
    await page.getByText('Segment Nordics saved').waitFor();
    const saved = (await api.ask(`GET /api/admin/segments/${id}`)).json();
    expect(saved.constraints[0].values).toEqual(['NO', 'SE']);

    const { id: contended } = await make(api.ask).segment('Contended', { description: 'first' });
    await moveTo(page, `/segments/edit/${contended}`);
    const description = page.getByLabel('Description');
    await description.fill('mine');
    await untilLive(page);
    const theirs = { name: 'Contended', description: 'theirs', constraints: [] };
    await api.ask(`PUT /api/admin/segments/${contended}`, { payload: theirs });
    await page
      .getByText(/^(?!Someone else).* changed this while you were editing: description “theirs”/)
      .waitFor();
    await page.getByRole('button', { name: 'Use theirs' }).click();
    await expect.poll(() => description.inputValue()).toBe('theirs');
    await api.ask(`DELETE /api/admin/segments/${contended}`);
    await page.getByText('Contended was deleted').waitFor();
  });

  test('the review of a segment says whether its constraints need approval', async ({
    api,
    page,
    visit,
  }) => {
    const things = make(api.ask);
    const project = 'guarded-shop';
    await things.project(project);
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    const { id } = await things.segment('Guarded', { constraints, project });
    await things.feature('guarded', { project });
    const payload = { changeRequestsEnabled: true };
    const config = `/api/admin/projects/${project}/environments/production/change-requests/config`;
    expect((await api.ask(`PUT ${config}` as 'PUT /', { payload })).statusCode).toBe(204);
    await visit('/', { rootRole: 1 });
    await things.strategy('guarded', { segments: [id] }, { project, environment: 'development' });
    await moveTo(page, `/segments/edit/${id}`);
    await page.getByRole('button', { name: 'Remove constraint 1' }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await dialog(page).getByText('development · Disabled').waitFor();
    await dialog(page).getByRole('button', { name: 'Save segment' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await things.strategy('guarded', { segments: [id] }, { project, environment: 'production' });
    await page.getByRole('button', { name: 'Review changes' }).click();
    await dialog(page).getByText('Changes in production need approval.').waitFor();
    await dialog(page).getByRole('button', { name: 'Propose changes' }).click();
    await expect
      .poll(async () => (await api.ask(`GET /api/admin/segments/${id}`)).json().constraints.length)
      .toBe(1);
    await page.getByText(/draft/).first().waitFor();
  });
});
