import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

type Who = Pick<Person, 'ask'>;

const requests = '/api/admin/projects/default/change-requests';
const place = '/api/admin/projects/default/environments/production/change-requests';
const production = { environment: 'production' };

const propose = (who: Who, payload: object) => who.ask(`POST ${place}`, { payload });

async function proposed(who: Who, payload: object) {
  const response = await propose(who, payload);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const enable = (feature: string, enabled = true) => ({
  feature,
  action: 'updateEnabled',
  payload: { enabled },
});

const rollout = (value: string, more: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: value, stickiness: 'default', groupId: 'x' },
  ...more,
});

async function feature(name: string): Promise<string> {
  await make(app.ask).feature(name);
  return name;
}

async function strategyOf(name: string, value = '10'): Promise<string> {
  return (await make(app.ask).strategy(name, rollout(value), production)).id as string;
}

describe('proposing changes', () => {
  test('creates a draft that only its author sees; later proposals are added to it', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    const name = await feature('proposed');
    const response = await propose(ada, enable(name));
    expect(response.json()).toMatchObject({
      id: expect.any(Number),
      project: 'default',
      environment: 'production',
      minApprovals: 0,
      state: 'Draft',
      stateTimestamps: { Draft: expect.any(String) },
      createdBy: { id: ada.id, username: ada.name, imageUrl: expect.any(String) },
      features: [{ name, changes: [{ action: 'updateEnabled', payload: { enabled: true } }] }],
      segments: [],
      approvals: [],
      rejections: [],
      comments: [],
      conflicts: [],
    });
    const { id } = response.json();
    const about = { project: 'default', environment: 'production' };
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'change-request-created', ...about, data: { changeRequestId: id } },
      { type: 'change-added', ...about },
    ]);
    const more = await proposed(ada, [
      { feature: name, action: 'addStrategy', payload: rollout('50') },
    ]);
    expect(more.id).toBe(id);
    expect(more.features[0].changes).toHaveLength(2);
    expect((await ada.ask(`GET ${requests}/${id}`)).json()).toEqual(more);
    // Lists have no hash.
    const { hash: _hash, ...listed } = more;
    expect((await ada.ask(`GET ${requests}/pending`)).json()).toEqual([listed]);
    expect((await ada.ask(`GET ${requests}/pending/${name}`)).json()).toEqual([listed]);
    // With up to 300 requests, the list of a project is not compared with what others changed.
    const { conflicts: _conflicts, ...newest } = listed;
    expect((await ada.ask(`GET ${requests}`)).json()).toContainEqual(newest);
    expect((await bob.ask(`GET ${requests}/${id}`)).statusCode).toBe(404);
    expect((await app.ask(`GET ${requests}/${id}`)).statusCode).toBe(404);
    for (const path of ['', '/pending', `/pending/${name}`]) {
      expect((await bob.ask(`GET ${requests}${path}`)).json()).toEqual([]);
    }
    const own = await proposed(bob, enable(name));
    expect(own.id).not.toBe(id);
    const elsewhere = await ada.ask(
      'POST /api/admin/projects/default/environments/development/change-requests',
      { payload: enable(name) },
    );
    expect(elsewhere.json().id).not.toBe(id);
  });

  test.each([
    ['an unknown feature', () => enable('nosuch'), 404],
    ['no feature', () => ({ ...enable('x'), feature: undefined }), 400],
    ['an unknown action', () => ({ feature: 'checked', action: 'explode' }), 400],
    ['a release plan', () => ({ feature: 'checked', action: 'addReleasePlan' }), 400],
    [
      'a payload that is null',
      () => ({ feature: 'checked', action: 'updateVariants', payload: null }),
      400,
    ],
    ['an invalid payload', () => ({ ...enable('checked'), payload: { enabled: 'yes' } }), 400],
    [
      'a strategy that does not exist',
      () => ({ feature: 'checked', action: 'deleteStrategy', payload: { id: 'nosuch' } }),
      404,
    ],
    [
      'an unknown segment',
      () => ({
        feature: 'checked',
        action: 'addStrategy',
        payload: rollout('1', { segments: [99] }),
      }),
      400,
    ],
    [
      'a segment that does not exist',
      () => ({ action: 'deleteSegment', payload: { id: 99 } }),
      404,
    ],
    ['an empty list of changes', () => [], 400],
  ])('rejects %s and stores nothing', async (_what, body, status) => {
    const ada = await person(app);
    if (
      !(await app.db.selectFrom('features').where('name', '=', 'checked').selectAll().execute())
        .length
    ) {
      await feature('checked');
    }
    const response = await propose(ada, body());
    expect(response.statusCode, response.body).toBe(status);
    expect((await ada.ask(`GET ${requests}/pending`)).json()).toEqual([]);
  });

  test('does not change the feature itself', async () => {
    const ada = await person(app);
    const name = await feature('untouched');
    const read = async () =>
      (await app.ask(`GET /api/admin/projects/default/features/${name}`)).json();
    const before = await read();
    await proposed(ada, [
      { feature: name, action: 'addStrategy', payload: rollout('50') },
      enable(name),
      { feature: name, action: 'archiveFeature' },
    ]);
    expect(await read()).toEqual(before);
  });

  test('returns 404 for an environment that the project does not have, and for a hidden project', async () => {
    const ada = await person(app);
    await make(app.ask).project('hidden-requests', { mode: 'private' });
    for (const path of ['default/environments/nosuch', 'hidden-requests/environments/production']) {
      const response = await ada.ask(`POST /api/admin/projects/${path}/change-requests`, {
        payload: enable('x'),
      });
      expect(response.statusCode).toBe(404);
    }
  });

  test('a change can be replaced and removed; removing the last one discards the draft', async () => {
    const ada = await person(app);
    const name = await feature('replaced');
    const { id, hash, features } = await proposed(ada, [
      enable(name),
      { feature: name, action: 'addStrategy', payload: rollout('5') },
    ]);
    const [first, second] = features[0].changes;
    const path = `${requests}/${id}/changes`;
    const edited = (
      await ada.ask(`PUT ${path}/${first.id}`, { payload: enable(name, false) })
    ).json();
    expect(edited.features[0].changes).toMatchObject([
      { id: expect.any(Number), payload: { enabled: false } },
      { id: second.id },
    ]);
    expect(edited.features[0].changes[0].id).not.toBe(first.id);
    expect(edited.hash).not.toBe(hash);
    expect((await ada.ask(`DELETE ${path}/${first.id}`)).statusCode).toBe(404);
    expect((await ada.ask(`DELETE ${path}/${second.id}`)).statusCode).toBe(200);
    const last = await ada.ask(`DELETE ${path}/${edited.features[0].changes[0].id}`);
    expect(await recordedBy(app.db, last)).toMatchObject([
      {
        type: 'change-discarded',
        data: { changeRequestId: id },
        preData: { changeRequestId: id },
      },
      { type: 'change-request-discarded', preData: { changeRequestId: id } },
    ]);
    expect((await ada.ask(`GET ${requests}/${id}`)).statusCode).toBe(404);
  });

  test('the event log does not reveal the content of a draft until it is sent to review', async () => {
    const ada = await person(app);
    const name = await feature('unsaid-feature');
    const added = await propose(ada, [
      enable(name),
      { feature: name, action: 'addStrategy', payload: rollout('5') },
      { feature: name, action: 'archiveFeature' },
    ]);
    const { id, features } = added.json();
    const [first, , last] = features[0].changes;
    const path = `${requests}/${id}` as const;
    const changes = [
      added,
      await ada.ask(`PUT ${path}/changes/${first.id}`, { payload: enable(name, false) }),
      await ada.ask(`DELETE ${path}/changes/${last.id}`),
      await ada.ask(`PUT ${path}/title`, { payload: { title: 'unsaid-title' } }),
    ];
    const unsaid = /unsaid|updateEnabled|addStrategy|archiveFeature/;
    for (const response of changes) {
      expect(response.statusCode, response.body).toBeLessThan(300);
      const events = await recordedBy(app.db, response);
      expect(events.length).toBeGreaterThan(0);
      for (const event of events) expect(JSON.stringify(event)).not.toMatch(unsaid);
    }
    const found = await app.ask(`GET /api/admin/search/events?feature=IS:${name}`);
    expect(found.json().events.map(({ type }: { type: string }) => type)).toEqual([
      'feature-created',
    ]);
    const sent = await ada.ask(`PUT ${path}/state`, { payload: { state: 'In review' } });
    expect((await recordedBy(app.db, sent))[0]).toMatchObject({
      type: 'change-request-sent-to-review',
      data: { changes: [{ feature: name, action: 'updateEnabled' }, { action: 'addStrategy' }] },
    });
  });

  test('a draft can be discarded only by its author', async () => {
    const [ada, bob] = [await person(app), await person(app, { rootRole: 1 })];
    const { id } = await proposed(ada, enable(await feature('discarded')));
    expect((await bob.ask(`DELETE ${requests}/${id}`)).statusCode).toBe(404);
    const response = await ada.ask(`DELETE ${requests}/${id}`);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'change-request-discarded' },
    ]);
  });
});

describe('a conflict', () => {
  const update = (id: string, value: string, more: object = {}) =>
    app.ask(
      `PUT /api/admin/projects/default/features/disputed/environments/production/strategies/${id}`,
      { payload: rollout(value, more) },
    );

  async function disputed(ada: Person, more: object = {}) {
    const found = await app.db
      .selectFrom('features')
      .where('name', '=', 'disputed')
      .select('name')
      .executeTakeFirst();
    if (!found) await feature('disputed');
    const strategy = await strategyOf('disputed');
    const request = await proposed(ada, {
      feature: 'disputed',
      action: 'updateStrategy',
      payload: { id: strategy, ...rollout('50', more) },
    });
    const [change] = request.features[0].changes;
    const resolve = (resolution: string) =>
      ada.ask(`POST ${requests}/${request.id}/changes/${change.id}/resolve`, {
        payload: { resolution },
      });
    const read = async () => (await ada.ask(`GET ${requests}/${request.id}`)).json();
    return { strategy, request, change, resolve, read };
  }

  test('shows base, current and proposed state once someone else changes the same strategy', async () => {
    const { strategy, change, read, resolve } = await disputed(await person(app));
    expect((await resolve('keep')).statusCode).toBe(400);
    await update(strategy, '20');
    const request = await read();
    expect(request.conflicts).toMatchObject([
      {
        changeId: change.id,
        feature: 'disputed',
        base: { parameters: { rollout: '10' } },
        current: { parameters: { rollout: '20' } },
        proposed: { parameters: { rollout: '50' } },
        resolutions: ['reapply', 'keep', 'drop'],
      },
    ]);
    expect(request.features[0].changes[0].conflict).toContain('strategy changed');
  });

  test('is not caused by another strategy or by enabling the feature', async () => {
    const { read } = await disputed(await person(app));
    await strategyOf('disputed');
    await make(app.ask).switchedOn('disputed', production);
    expect((await read()).conflicts).toEqual([]);
  });

  test('can be merged if the two sides changed different properties', async () => {
    const { strategy, read, resolve } = await disputed(await person(app));
    await update(strategy, '10', { title: 'Theirs', constraints: [] });
    expect((await read()).conflicts[0].resolutions).toContain('merge');
    const merged = (await resolve('merge')).json();
    expect(merged.conflicts).toEqual([]);
    expect(merged.features[0].changes[0].payload).toMatchObject({
      title: 'Theirs',
      parameters: { rollout: '50' },
    });
  });

  test('is resolved by applying the proposal to the current state', async () => {
    const { strategy, resolve } = await disputed(await person(app));
    await update(strategy, '20', { title: 'Theirs' });
    const resolved = (await resolve('reapply')).json();
    expect(resolved.conflicts).toEqual([]);
    expect(resolved.features[0].changes[0].payload).toMatchObject({
      title: 'Theirs',
      parameters: { rollout: '50' },
    });
  });

  test('is resolved by keeping the proposal', async () => {
    const { strategy, resolve } = await disputed(await person(app), { title: 'Mine' });
    await update(strategy, '20', { title: 'Theirs' });
    const resolved = (await resolve('keep')).json();
    expect(resolved.conflicts).toEqual([]);
    expect(resolved.features[0].changes[0].payload).toMatchObject({ title: 'Mine' });
  });

  test('can only be resolved by dropping the change if the strategy was deleted', async () => {
    const ada = await person(app);
    const { strategy, resolve, read } = await disputed(ada);
    await app.ask(
      `DELETE /api/admin/projects/default/features/disputed/environments/production/strategies/${strategy}`,
    );
    expect((await read()).conflicts).toMatchObject([{ current: null, resolutions: ['drop'] }]);
    expect((await resolve('keep')).statusCode).toBe(400);
    expect((await resolve('drop')).statusCode).toBe(403);
    await proposed(ada, enable('disputed'));
    const rest = (await resolve('drop')).json();
    expect(rest.features[0].changes).toMatchObject([{ action: 'updateEnabled' }]);
  });

  test('is reported when the constraints of a segment in a proposed strategy change', async () => {
    const ada = await person(app);
    const name = await feature('for-a-segment');
    const { id: segment } = await make(app.ask).segment('testers');
    const { id, hash } = await proposed(ada, {
      feature: name,
      action: 'addStrategy',
      payload: rollout('100', { segments: [segment] }),
    });
    const widen = (more: object) =>
      app.ask(`PUT /api/admin/segments/${segment}`, {
        payload: { name: 'testers', constraints: [], ...more },
      });
    const read = async () => (await ada.ask(`GET ${requests}/${id}`)).json();
    expect((await read()).conflicts).toEqual([]);
    const constraint = { contextName: 'userId', operator: 'NOT_IN', values: ['1'] };
    expect((await widen({ constraints: [constraint] })).statusCode).toBe(204);
    const { conflicts, features: changed } = await read();
    expect(conflicts).toMatchObject([
      { reason: expect.stringContaining('A segment'), resolutions: ['keep', 'drop'] },
    ]);
    const [change] = changed[0].changes;
    const kept = await ada.ask(`POST ${requests}/${id}/changes/${change.id}/resolve`, {
      payload: { resolution: 'keep' },
    });
    expect(kept.json()).toMatchObject({ conflicts: [] });
    // Those who approved the previous segment have not approved this one.
    expect(kept.json().hash).not.toBe(hash);
    await widen({ description: 'Described', constraints: [constraint] });
    expect((await read()).conflicts).toEqual([]);
  });

  test('is reported when the feature of a proposed move changes', async () => {
    const ada = await person(app);
    const elsewhere = 'elsewhere-before';
    await make(app.ask).project(elsewhere);
    await make(app.ask).feature('moves-in', { project: elsewhere });
    const { id } = await proposed(ada, {
      action: 'moveFeature',
      payload: { feature: 'moves-in', project: elsewhere, newProjectId: 'default' },
    });
    const read = async () => (await ada.ask(`GET ${requests}/${id}`)).json();
    expect((await read()).conflicts).toEqual([]);
    await make(app.ask).strategy('moves-in', rollout('100'), {
      project: elsewhere,
      environment: 'production',
    });
    expect((await read()).conflicts).toMatchObject([
      { reason: expect.stringContaining("'moves-in' was changed"), resolutions: ['keep', 'drop'] },
    ]);
  });

  test('is reported when the feature is archived', async () => {
    const ada = await person(app);
    const name = await feature('archived-later');
    const { id } = await proposed(ada, enable(name));
    await app.ask(`DELETE /api/admin/projects/default/features/${name}`);
    const request = (await ada.ask(`GET ${requests}/${id}`)).json();
    expect(request.features[0].conflict).toBe('This feature is archived');
    expect(request.conflicts).toMatchObject([{ resolutions: ['drop'] }]);
  });
});
