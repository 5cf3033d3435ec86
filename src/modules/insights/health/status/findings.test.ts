import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestApp } from '../../../../../test/support/app.ts';
import {
  findingsOf,
  type HealthApp,
  healthApp,
  reasonsIn,
  seen,
} from '../../../../../test/support/health-app.ts';

const projects = '/api/admin/projects';
const everybody = {
  name: 'flexibleRollout',
  parameters: { rollout: '100', stickiness: 'default' },
};

let here: HealthApp;
let app: TestApp;
let project: string;
let path: string;
beforeAll(async () => {
  here = await healthApp();
  app = here.app;
});
beforeEach(async () => {
  project = await here.project();
  path = `${projects}/${project}`;
});

const named = (name: string) => `${project}-${name}`;
const feature = (name: string, more: object = {}) =>
  here.create.feature(named(name), { project, type: 'kill-switch', ...more });
const inProduction = (name: string) => `${path}/features/${named(name)}/environments/production`;
const strategy = (name: string, more: object = everybody) =>
  here.create.strategy(named(name), more, { project, environment: 'production' });
const switchOn = (name: string) =>
  here.create.switchedOn(named(name), { project, environment: 'production' });
/** Marks a feature as seen by SDKs all the time, so that only the tested reason is reported. */
const inUse = (name: string) => seen(app.db, named(name), 'development', here.iso(1_000));
const reasons = (query = '') => reasonsIn(app.ask, project, query);
const done = async (answer: ReturnType<TestApp['ask']>) => {
  const response = await answer;
  expect(response.statusCode, response.body).toBeLessThan(300);
};

/** Returns the findings of one feature. */
const findingOf = async (name: string, query = '') => {
  const { features } = await findingsOf(app.ask, project, query);
  return features.find((each) => each.feature === named(name));
};

test('a stale mark is reported with its author and date from the log', async () => {
  for (const name of ['marked', 'born', 'unmarked', 'fresh']) await feature(name);
  await feature('made-stale', { stale: true });
  here.atDay(2);
  for (const stale of [true, false, true]) {
    const features = [named('marked')];
    await done(app.ask(`POST ${path}/stale`, { payload: { features, stale } }));
  }
  const mark = await findingOf('marked');
  expect(mark).toEqual({
    feature: named('marked'),
    type: 'kill-switch',
    createdAt: here.iso(0),
    stale: true,
    reasons: [
      {
        reason: 'markedStale',
        since: here.iso(2),
        detail: 'Marked as stale by admin on 2026-03-03',
        evidence: { markedBy: 'admin' },
      },
    ],
  });
  expect((await findingOf('made-stale'))?.reasons).toMatchObject([
    { since: here.iso(0), evidence: { markedBy: 'admin' } },
  ]);
  expect(await findingOf('fresh')).toBeUndefined();
});

test('an exceeded lifetime is reported with type and lifetime', async () => {
  await feature('short', { type: 'operational' });
  await inUse('short');
  here.atDay(7);
  expect((await findingOf('short'))?.reasons).toEqual([
    {
      reason: 'lifetimeOver',
      since: here.iso(7),
      detail:
        'Created 2026-03-01; expected lifetime of operational features (7 days) ended 2026-03-08',
      evidence: { type: 'operational', lifetimeDays: 7, createdAt: here.iso(0) },
    },
  ]);
});

test('a feature that no SDK requests is reported with its last request by environment', async () => {
  await feature('forgotten');
  await feature('never');
  await seen(app.db, named('forgotten'), 'production', here.iso(1));
  await seen(app.db, named('forgotten'), 'development', here.iso(3));
  here.atDay(30);
  expect(await reasons()).toEqual({ [named('never')]: ['notSeen'] });
  here.atDay(33);
  expect((await findingOf('forgotten'))?.reasons).toEqual([
    {
      reason: 'notSeen',
      since: here.iso(3),
      detail: 'Last evaluated 2026-03-04',
      evidence: {
        environments: [
          { environment: 'development', lastSeenAt: here.iso(3) },
          { environment: 'production', lastSeenAt: here.iso(1) },
        ],
      },
    },
  ]);
  here.atDay(9);
  expect(await reasons('?notSeenDays=7')).toEqual({ [named('never')]: ['notSeen'] });
});

describe('a feature enabled for everyone in production', () => {
  const reasonsAt = async (days: number) => {
    here.atDay(days);
    return (await reasons())[named('a')] ?? [];
  };

  test.each<[string, object | undefined, boolean]>([
    ['a rollout to all', everybody, true],
    ['the strategy default', { name: 'default' }, true],
    ['a rollout to 99 %', { ...everybody, parameters: { rollout: '99' } }, false],
    [
      'a constraint',
      {
        ...everybody,
        constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
      },
      false,
    ],
    ['a list of user ids', { name: 'userWithId', parameters: { userIds: '1' } }, false],
  ])('is reported after 30 days (%s): $2', async (_what, overrides, holds) => {
    await feature('a');
    await inUse('a');
    here.atDay(1);
    await strategy('a', overrides);
    await switchOn('a');
    expect(await reasonsAt(30.99)).toEqual([]);
    expect(await reasonsAt(31)).toEqual(holds ? ['fullyOn'] : []);
  });

  test('is not reported with a segment, a parent or a disabled strategy, or while disabled', async () => {
    const { id } = await here.create.segment(named('segment'));
    for (const name of ['segment', 'parent', 'child', 'disabled', 'off', 'other']) {
      await feature(name);
      await inUse(name);
    }
    await strategy('segment', { ...everybody, segments: [id] });
    await strategy('child');
    await strategy('off');
    await here.create.dependency(named('child'), named('parent'), { project });
    await strategy('disabled', { ...everybody, parameters: { rollout: '10' } });
    await strategy('disabled', { ...everybody, disabled: true });
    for (const name of ['segment', 'child', 'disabled']) await switchOn(name);
    // Not a production environment.
    await here.create.strategy(named('other'), everybody, { project });
    await here.create.switchedOn(named('other'), { project });
    here.atDay(100);
    expect(await reasons()).toEqual({});
  });

  test('is reported if one of several strategies matches everyone', async () => {
    await feature('a');
    await inUse('a');
    await strategy('a', { ...everybody, parameters: { rollout: '10' } });
    await strategy('a');
    await switchOn('a');
    expect(await reasonsAt(30)).toEqual(['fullyOn']);
  });

  test('is reported if that holds in all production environments where it is enabled', async () => {
    for (const name of ['eu', 'us', 'asia']) {
      await here.create.environment(`${project}-${name}`, { type: 'production' });
      await done(
        app.ask(`POST ${path}/environments`, { payload: { environment: `${project}-${name}` } }),
      );
    }
    await feature('a');
    await inUse('a');
    const place = (name: string) => ({ project, environment: `${project}-${name}` });
    await here.create.strategy(named('a'), everybody, place('eu'));
    await here.create.switchedOn(named('a'), place('eu'));
    const half = await here.create.strategy(
      named('a'),
      { ...everybody, parameters: { rollout: '50' } },
      place('us'),
    );
    await here.create.switchedOn(named('a'), place('us'));
    expect(await reasonsAt(40)).toEqual([]);
    await done(
      app.ask(
        `PUT ${path}/features/${named('a')}/environments/${project}-us/strategies/${half.id}`,
        { payload: everybody },
      ),
    );
    expect(await reasonsAt(69)).toEqual([]);
    here.atDay(70);
    expect((await findingOf('a'))?.reasons).toEqual([
      {
        reason: 'fullyOn',
        since: here.iso(40),
        detail: `Enabled for everyone in ${project}-eu, ${project}-us since 2026-04-10`,
        evidence: {
          environments: [
            { environment: `${project}-eu`, since: here.iso(0) },
            { environment: `${project}-us`, since: here.iso(40) },
          ],
        },
      },
    ]);
  });

  test('is reported 30 days after the last change of its activation', async () => {
    await feature('a');
    await inUse('a');
    await strategy('a');
    await switchOn('a');
    here.atDay(20);
    await done(app.ask(`POST ${inProduction('a')}/off`));
    await done(app.ask(`POST ${inProduction('a')}/on`));
    here.atDay(40);
    await here.create.strategy(named('a'), everybody, { project });
    await done(
      app.ask(`PATCH ${path}/features/${named('a')}`, {
        payload: [{ op: 'replace', path: '/description', value: 'other' }],
      }),
    );
    expect(await reasonsAt(49)).toEqual([]);
    expect(await reasonsAt(50)).toEqual(['fullyOn']);
  });

  test('is reported with the stickiness of its rollout', async () => {
    await feature('a');
    await inUse('a');
    await strategy('a', {
      name: 'flexibleRollout',
      parameters: { rollout: '100', stickiness: 'userId' },
    });
    await switchOn('a');
    here.atDay(30);
    expect((await findingOf('a'))?.reasons).toMatchObject([
      { detail: expect.stringContaining('everyone with userId in production') },
    ]);
  });
});

test('a completed feature that is still requested is reported until the requests stop', async () => {
  for (const name of ['completed', 'archived', 'quiet']) await feature(name);
  here.atDay(1);
  await done(
    app.ask(`POST ${path}/features/${named('completed')}/lifecycle/complete`, {
      payload: { status: 'kept' },
    }),
  );
  for (const name of ['archived', 'quiet']) {
    await done(app.ask(`DELETE ${path}/features/${named(name)}`));
  }
  for (const name of ['completed', 'archived']) {
    await seen(app.db, named(name), 'production', here.iso(3));
  }
  expect(await reasons()).toEqual({
    [named('archived')]: ['archivedButCalled'],
    [named('completed')]: ['completedButCalled'],
  });
  expect(await findingOf('archived')).toEqual({
    feature: named('archived'),
    type: 'kill-switch',
    createdAt: here.iso(0),
    archivedAt: here.iso(1),
    stale: false,
    reasons: [
      {
        reason: 'archivedButCalled',
        since: here.iso(1),
        detail: 'Archived 2026-03-02, last evaluated 2026-03-04',
        evidence: {
          archivedAt: here.iso(1),
          environments: [{ environment: 'production', lastSeenAt: here.iso(3) }],
        },
      },
    ],
  });
  here.atDay(33);
  expect(await reasons()).toEqual({ [named('completed')]: ['notSeen'] });
});

const scan = (repository: string, ...features: string[]) =>
  done(
    app.ask(`PUT ${path}/code-references`, {
      payload: {
        repository,
        references: features.map((name) => ({ feature: named(name), path: 'a.ts', line: 1 })),
      },
    }),
  );

test('a feature that code referenced before it was created or moved to the project counts as found', async () => {
  await scan('one', 'made', 'moved', 'dated');
  await here.create.feature(named('moved'));
  here.atDay(1);
  await feature('made');
  await feature('dated', { createdAt: here.iso(-9) });
  await feature('neither');
  here.atDay(2);
  await scan('two');
  await done(
    app.ask(`POST /api/admin/projects/default/features/${named('moved')}/changeProject`, {
      payload: { newProjectId: project },
    }),
  );
  expect(await reasons()).toEqual({ [named('neither')]: ['notInCode'] });
  // The first scan is older than the feature and does not count.
  expect((await findingOf('neither'))?.reasons).toMatchObject([{ evidence: { repositories: 1 } }]);
});

test('references found for the previous project of a moved feature do not count', async () => {
  await feature('left');
  await scan('one', 'left');
  here.atDay(1);
  const other = await here.project();
  here.atDay(1);
  await done(
    app.ask(`POST ${path}/features/${named('left')}/changeProject`, {
      payload: { newProjectId: other },
    }),
  );
  await done(
    app.ask(`PUT /api/admin/projects/${other}/code-references`, {
      payload: { repository: 'two', references: [] },
    }),
  );
  expect(await reasonsIn(app.ask, other)).toEqual({ [named('left')]: ['notInCode'] });
});

test('a feature without code references is reported once a scan ran after its creation', async () => {
  await feature('named');
  await feature('unnamed');
  expect(await reasons()).toEqual({});
  here.atDay(1);
  await scan('one', 'named');
  await scan('two');
  here.atDay(2);
  await feature('later');
  expect(await reasons()).toEqual({ [named('unnamed')]: ['notInCode'] });
  expect((await findingOf('unnamed'))?.reasons).toMatchObject([
    { since: here.iso(1), evidence: { repositories: 2, lastScanAt: here.iso(1) } },
  ]);
  await scan('one');
  expect(await reasons()).toEqual({
    [named('named')]: ['notInCode'],
    [named('unnamed')]: ['notInCode'],
  });
});

describe('the list of findings', () => {
  beforeEach(async () => {
    await feature('c', { createdAt: here.iso(-40) });
    await feature('a', { createdAt: here.iso(-60), type: 'release' });
    await feature('b', { createdAt: here.iso(-40), stale: true });
    await feature('d', { createdAt: here.iso(-50) });
  });

  const list = async (query = '') => {
    const { features, total } = await findingsOf(app.ask, project, query);
    return [total, ...features.map(({ feature: name }) => name.replace(`${project}-`, ''))];
  };

  test('is sorted by age and then by name, or as requested', async () => {
    expect(await list()).toEqual([4, 'a', 'd', 'b', 'c']);
    expect(await list('?sortOrder=desc')).toEqual([4, 'b', 'c', 'd', 'a']);
    expect(await list('?sortBy=feature')).toEqual([4, 'a', 'b', 'c', 'd']);
    expect(await list('?sortBy=feature&sortOrder=desc')).toEqual([4, 'd', 'c', 'b', 'a']);
  });

  test('is paginated, with the overall total', async () => {
    expect(await list('?limit=3')).toEqual([4, 'a', 'd', 'b']);
    expect(await list('?limit=3&offset=3')).toEqual([4, 'c']);
    expect(await list('?offset=99999999999999999999')).toEqual([4]);
    expect(await list('?limit=5000')).toHaveLength(5);
  });

  test('can be filtered by reason, with counts of all reasons', async () => {
    expect(await list('?reason=lifetimeOver')).toEqual([1, 'a']);
    expect(await list('?reason=markedStale')).toEqual([1, 'b']);
    expect(await list('?reason=fullyOn')).toEqual([0]);
    const { countByReason } = await findingsOf(app.ask, project, '?reason=fullyOn');
    expect(countByReason).toMatchObject({
      lifetimeOver: 1,
      notSeen: 4,
      markedStale: 1,
      fullyOn: 0,
    });
  });
});

test('no response or documentation says that a feature is safe to delete', async () => {
  await feature('a', { createdAt: here.iso(-400), type: 'release', stale: true });
  const [page, document] = [
    await app.ask(`GET ${path}/status`),
    await app.ask('GET /docs/openapi.json'),
  ];
  for (const { body } of [page, document]) expect(body).not.toMatch(/safe to (delete|remove)/i);
});
