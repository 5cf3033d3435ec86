import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';

const features = '/api/admin/projects/default/features';

let time = new Date('2026-11-17T12:00:00Z');
const at = (clock: string) => `2026-11-17T${clock}:00Z`;
const setTime = (clock: string) => {
  time = new Date(at(clock));
};

let app: TestApp;

const incident = async (
  ask: TestApp['ask'] = app.ask,
  more: Readonly<Record<string, string>> = {},
) => {
  const query = { from: at('13:30'), to: at('14:30'), environment: 'production', ...more };
  return ask(`GET /api/admin/history/incident?${new URLSearchParams(query)}`);
};

interface Change {
  readonly kind: string;
  readonly name: string | null;
}

const changesOf = async (ask: TestApp['ask'] = app.ask): Promise<readonly Change[]> =>
  (await incident(ask)).json().changes;

const evaluated = (feature: string, hour: string, yes: number) =>
  app.db
    .insertInto('usage_hours')
    .values({
      feature_name: feature,
      hour: new Date(at(hour)),
      environment: 'production',
      app_name: 'shop',
      yes,
      no: 0,
    })
    .execute();

beforeAll(async () => {
  app = await testApp({ clock: () => time });
  const { feature, segment, strategy, project } = make(app.ask);
  const where = { environment: 'production' };
  setTime('13:00');
  await project('secret', { mode: 'private' });
  const { id } = await segment('nordics');
  for (const name of ['little', 'much', 'untouched', 'in-segment']) await feature(name);
  await feature('hidden', { project: 'secret' });
  await strategy('in-segment', { segments: [id] }, where);
  await strategy('hidden', { segments: [id] }, { ...where, project: 'secret' });
  for (const name of ['little', 'much']) await strategy(name, {}, where);
  await app.ask(`POST ${features}/much/environments/production/on`);
  setTime('14:00');
  await app.ask(`POST ${features}/little/environments/production/on`);
  await app.ask(`POST ${features}/much/environments/production/off`);
  await app.ask(`POST ${features}/much/environments/development/on`);
  await app.ask(`POST ${features}/untouched/favorites`);
  await app.ask(`PUT /api/admin/segments/${id}`, {
    payload: {
      name: 'nordics',
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['2'] }],
    },
  });
  await app.ask('POST /api/admin/projects/secret/features/hidden/environments/production/on');
  setTime('15:00');
  await app.ask(`POST ${features}/little/environments/production/off`);
  await evaluated('little', '14:00', 10);
  await evaluated('much', '13:00', 300);
  await evaluated('much', '16:00', 9_000);
  await evaluated('in-segment', '14:00', 50);
  await evaluated('hidden', '14:00', 4);
});

describe('the incident view', () => {
  test('lists changes by number of evaluations, with the state before and after', async () => {
    const { changes, events, evaluationsFrom, evaluationsTo } = (await incident()).json();
    expect(changes).toMatchObject([
      { kind: 'feature', name: 'much', before: 'enabled', after: 'disabled', evaluations: 300 },
      { kind: 'segment', name: 'nordics', features: ['hidden', 'in-segment'], evaluations: 54 },
      { kind: 'feature', name: 'little', before: 'disabled', after: 'enabled', evaluations: 10 },
      { kind: 'feature', name: 'hidden', before: 'disabled', after: 'enabled', evaluations: 4 },
      { kind: 'other', name: null, evaluations: null },
    ]);
    expect([evaluationsFrom, evaluationsTo]).toEqual([
      '2026-11-17T13:00:00.000Z',
      '2026-11-17T15:00:00.000Z',
    ]);
    const ids = changes.flatMap(({ eventIds }: { eventIds: number[] }) => eventIds);
    expect(ids.toSorted((a: number, b: number) => a - b)).toEqual(
      events.map(({ id }: { id: number }) => id),
    );
    expect(
      events.map(({ environment }: { environment: string | null }) => environment),
    ).not.toContain('development');
  });

  test('shows nothing of hidden projects, not even in sums', async () => {
    const outsider = await person(app, { rootRole: 3 });
    const response = await incident(outsider.ask);
    expect(response.body).not.toContain('hidden');
    expect((await changesOf(outsider.ask)).map(({ name }) => name)).toEqual([
      'much',
      'little',
      null,
    ]);
    const insider = await person(app, { rootRole: 3, roles: { secret: 5 } });
    expect((await changesOf(insider.ask)).map(({ name }) => name)).toContain('hidden');
  });

  test('shows the same later, without evaluations when they are no longer stored', async () => {
    const before = (await incident()).json();
    time = new Date('2027-11-17T12:00:00Z');
    const later = (await incident()).json();
    expect(later.evaluationsFrom).toBeNull();
    expect(later.events).toEqual(before.events);
    const states = ({ changes }: { changes: { name: string }[] }) =>
      changes
        .map((change) => ({ ...change, evaluations: null }))
        .toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
    expect(states(later)).toEqual(states(before));
    setTime('15:00');
  });

  test('does not name a segment that was moved to a hidden project', async () => {
    const { id } = await make(app.ask).segment('of-default', { project: 'default' });
    const outsider = await person(app, { rootRole: 3 });
    const names = async () => {
      const around = await incident(outsider.ask, { from: at('14:30'), to: at('15:30') });
      return around.json().changes.map(({ name }: Change) => name);
    };
    setTime('15:15');
    expect(await names()).toContain('of-default');
    await app.ask(`PUT /api/admin/segments/${id}`, {
      payload: { name: 'confidential', project: 'secret', constraints: [] },
    });
    setTime('15:45');
    expect(await names()).not.toContain('confidential');
    expect(await names()).toContain(String(id));
  });

  test('rejects a range in the wrong order or in the future', async () => {
    expect((await incident(app.ask, { to: at('13:00') })).statusCode).toBe(400);
    expect((await incident(app.ask, { from: at('23:00'), to: at('23:30') })).statusCode).toBe(400);
  });
});
