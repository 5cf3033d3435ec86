import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';

let app: TestApp;
let viewer: Person;

const admin = '/api/admin';
const project = 'default';
const requests = `${admin}/projects/${project}/change-requests` as const;
const place = `${admin}/projects/${project}/environments/production/change-requests` as const;

beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('secret', { mode: 'private' });
  viewer = await person(app);
});

const only = (value: string) => [{ contextName: 'userId', operator: 'IN', values: [value] }];

describe('a segment that was moved to a private project', () => {
  const secrets = { name: 'secret-name', constraints: only('secret-value') };

  /** Proposes to change a segment, which then moves to a private project and changes there. */
  async function proposed(action: 'updateSegment' | 'deleteSegment', name: string) {
    const { id: segment } = await make(app.ask).segment(name);
    const payload =
      action === 'updateSegment'
        ? { id: segment, name: `${name}-mine`, constraints: only('2') }
        : { id: segment };
    const made = await viewer.ask(`POST ${place}`, { payload: { action, payload } });
    expect(made.statusCode, made.body).toBe(200);
    const path = `${requests}/${made.json().id}` as const;
    const move = (name: string) =>
      app.ask(`PUT ${admin}/segments/${segment}`, {
        payload: { ...secrets, name, project: 'secret' },
      });
    return { path, move };
  }

  test('is shown as deleted to readers of a request that changes it', async () => {
    const { path, move } = await proposed('updateSegment', 'shown');
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    for (const state of ['In review', 'Scheduled']) {
      const reached = await viewer.ask(`PUT ${path}/state`, { payload: { state, scheduledAt } });
      expect(reached.statusCode, reached.body).toBe(200);
    }
    for (const name of ['secret-name', 'secret-later']) {
      expect((await move(name)).statusCode).toBe(204);
      const read = await viewer.ask(`GET ${path}`);
      expect(read.json()).toMatchObject({
        title: '1 change to shown in production',
        segments: [{ name: 'shown', conflict: 'This segment no longer exists' }],
        conflicts: [
          {
            base: { name: 'shown' },
            current: null,
            resolutions: ['drop'],
            changeId: expect.any(Number),
          },
        ],
      });
      const preview = await viewer.ask(`POST ${path}/preview`, { payload: {} });
      expect(preview.statusCode).toBe(409);
      const lists = [
        await viewer.ask(`GET ${requests}`),
        await viewer.ask(`GET ${admin}/search/change-requests`),
        await viewer.ask(`GET ${admin}/calendar`),
      ];
      for (const { body } of lists) expect(body).toContain('1 change to shown in production');
      for (const { body } of [read, preview, ...lists]) expect(body).not.toContain('secret-');
    }
  });

  test('keeps its previous name in a closed request', async () => {
    const { path, move } = await proposed('deleteSegment', 'closed');
    await viewer.ask(`PUT ${path}/state`, { payload: { state: 'In review' } });
    await viewer.ask(`PUT ${path}/state`, { payload: { state: 'Cancelled' } });
    expect((await move('secret-closed')).statusCode).toBe(204);
    for (const at of [path, requests]) {
      const { body } = await viewer.ask(`GET ${at}`);
      expect(body).toContain('"name":"closed"');
      expect(body).not.toContain('secret-');
    }
  });
});

describe('a changed segment of the default strategy', () => {
  const at = `${admin}/projects/approving` as const;
  let author: Person;
  let approver: Person;
  let segment: number;

  beforeAll(async () => {
    await make(app.ask).project('approving');
    await app.ask(`PUT ${at}/environments/production/change-requests/config`, {
      payload: { changeRequestsEnabled: true },
    });
    author = await person(app, { roles: { approving: 5 } });
    approver = await person(app, { roles: { approving: 4 } });
    segment = (await make(app.ask).segment('of-default')).id;
    await app.ask(`POST ${at}/environments/production/default-strategy`, {
      payload: { name: 'flexibleRollout', segments: [segment] },
    });
  });

  const change = (values: string) =>
    app.ask(`PUT ${admin}/segments/${segment}`, {
      payload: { name: 'of-default', constraints: only(values) },
    });
  const on = { action: 'updateEnabled', payload: { enabled: true } };

  test.each([
    ['by-switch', (feature: string) => ({ feature, ...on })],
    [
      'by-set',
      (feature: string) => ({
        ...{ feature, action: 'saveFeatureChanges' },
        payload: { changes: [{ ...on, environment: 'production' }] },
      }),
    ],
  ])(
    'is a conflict in an approved request that would add the strategy (%s)',
    async (feature, changeOf) => {
      await make(app.ask).feature(feature, { project: 'approving' });
      const made = await author.ask(`POST ${at}/environments/production/change-requests`, {
        payload: changeOf(feature),
      });
      const path = `${at}/change-requests/${made.json().id}` as const;
      const become = (by: Person, state: string) =>
        by.ask(`PUT ${path}/state`, { payload: { state } });
      await become(author, 'In review');
      expect((await become(approver, 'Approved')).statusCode).toBe(200);
      expect((await change(feature)).statusCode).toBe(204);
      const [conflict] = (await author.ask(`GET ${path}`)).json().conflicts;
      expect(conflict).toMatchObject({
        reason: expect.stringContaining('A segment of'),
        resolutions: ['keep', 'drop'],
      });
      expect((await become(approver, 'Applied')).statusCode).toBe(409);
      const resolved = await author.ask(`POST ${path}/changes/${conflict.changeId}/resolve`, {
        payload: { resolution: 'keep' },
      });
      expect(resolved.json()).toMatchObject({ state: 'In review', conflicts: [] });
      await become(approver, 'Approved');
      // With a strategy of its own, the feature doesn't get the default one.
      const production = { project: 'approving', environment: 'production' };
      await make(app.ask).strategy(feature, {}, production);
      expect((await change(`${feature}-again`)).statusCode).toBe(204);
      expect((await become(approver, 'Applied')).statusCode).toBe(200);
    },
  );
});
