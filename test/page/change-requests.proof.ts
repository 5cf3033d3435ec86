import { expect } from 'vitest';
import { faultsOf, wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest } from '../support/page-test.ts';

const test = pageTest();

const project = 'disputed-shop';
const production = { project, environment: 'production' };
const path = `/api/admin/projects/${project}` as const;

const rollout = (value: string, title: string) => ({
  name: 'flexibleRollout',
  title,
  parameters: { rollout: value, stickiness: 'default', groupId: 'x' },
});

interface Proposed {
  readonly name: string;
  readonly changes: readonly { readonly payload: object }[];
}

const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const;

withBrowser('conflicts of a change request', () => {
  test('are shown side by side and resolved in each of the four ways', async ({
    api,
    page,
    visit,
  }) => {
    const create = make(api.ask);
    await create.project(project);
    const names = ['merged', 'reapplied', 'kept', 'dropped'];
    const strategies = new Map<string, string>();
    for (const name of names) {
      await create.feature(name, { project });
      const { id } = await create.strategy(name, rollout('10', 'Before'), production);
      strategies.set(name, String(id));
    }
    const config = `${path}/environments/production/change-requests/config` as const;
    await api.ask(`PUT ${config}`, { payload: { changeRequestsEnabled: true } });
    await visit('/', { rootRole: 1 });
    const send = (method: string, address: string, body?: object) =>
      page.evaluate<{
        id: number;
        features: readonly Proposed[];
      }>(`fetch(${JSON.stringify(address)}, {
        method: '${method}',
        headers: { 'content-type': 'application/json' },
        ${body ? `body: ${JSON.stringify(JSON.stringify(body))},` : ''}
      }).then((response) => response.json())`);
    const { id } = await send(
      'POST',
      `${path}/environments/production/change-requests`,
      names.map((feature) => ({
        feature,
        action: 'updateStrategy',
        payload: { id: strategies.get(feature), ...rollout('50', 'Before') },
      })),
    );
    for (const name of names) {
      const theirs = name === 'merged' ? rollout('10', 'Theirs') : rollout('20', 'Theirs');
      const strategy = `${path}/features/${name}/environments/production/strategies`;
      await api.ask(`PUT ${strategy}/${strategies.get(name)}` as 'PUT /', { payload: theirs });
    }
    await moveTo(page, `/projects/${project}/change-requests/${id}`);
    const conflict = (name: string) =>
      page.getByRole('alert').filter({ hasText: `${name}: The strategy changed` });
    await conflict('dropped').waitFor();
    await conflict('merged').getByText('Changed since').waitFor();
    await conflict('kept').getByText("Can't be merged. Both sides changed").waitFor();
    await page.getByText('No preview while there are conflicts.').waitFor();
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await faultsOf(page, { runOnly: wcag }), `${colorScheme} ${width}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const [name, resolution] of [
      ['merged', 'Merge'],
      ['reapplied', 'Use theirs, reapply mine'],
      ['kept', 'Keep mine'],
      ['dropped', 'Remove this change'],
    ] as const) {
      await conflict(name).getByRole('button', { name: resolution }).click();
      await conflict(name).waitFor({ state: 'detached' });
    }
    const { features } = await send('GET', `${path}/change-requests/${id}`);
    const titles = features.map(({ name, changes }) => [name, changes[0]?.payload]);
    expect(titles).toMatchObject([
      ['merged', { title: 'Theirs', parameters: { rollout: '50' } }],
      ['reapplied', { title: 'Theirs', parameters: { rollout: '50' } }],
      ['kept', { title: 'Before', parameters: { rollout: '50' } }],
    ]);
  });
});

withBrowser('a draft', () => {
  test('is discarded after a confirmation that says what is lost', async ({ api, page, visit }) => {
    const create = make(api.ask);
    await create.project('drafts');
    await create.feature('planned', { project: 'drafts' });
    const environment = '/api/admin/projects/drafts/environments/production/change-requests';
    await api.ask(`PUT ${environment}/config` as 'PUT /', {
      payload: { changeRequestsEnabled: true },
    });
    await visit('/', { rootRole: 1 });
    const changes = [{ feature: 'planned', action: 'updateEnabled', payload: { enabled: true } }];
    const { id } = await page.evaluate<{ id: number }>(`fetch(${JSON.stringify(environment)}, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(changes))},
    }).then((response) => response.json())`);
    await moveTo(page, `/projects/drafts/change-requests/${id}`);
    await page.getByRole('button', { name: 'Discard draft…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard this draft?' });
    await dialog.getByText('1 change will be lost.').waitFor();
    await dialog.getByRole('button', { name: 'Discard draft' }).click();
    await page.waitForURL(/\/change-requests\?list=mine/);
    // Only its owner could see it.
    const status = await page.evaluate<number>(
      `fetch('/api/admin/projects/drafts/change-requests/${id}').then(({ status }) => status)`,
    );
    expect(status).toBe(404);
  });
});
