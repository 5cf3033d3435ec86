import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { distinctPathsOf } from '../../../../../test/support/faults.ts';
import { group } from '../../../../../test/support/groups.ts';
import { make } from '../../../../../test/support/make.ts';
import { type Person, person } from '../../../../../test/support/people.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { transactOn } from '../../../../app/transact.ts';
import type { Database } from '../../../../platform/db/database.ts';
import { changeFeaturesInBulk } from '../bulk/service.ts';
import type { SetOwner } from './owner-schema.ts';

let app: TestApp;
let ada: Person;
let bo: Person;
let web: { readonly id: number; readonly name: string };

const now = '2026-03-10T12:00:00.000Z';
const features = '/api/admin/projects/default/features';
const search = '/api/admin/search/features';

beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
  ada = await person(app, { rootRole: 1 });
  bo = await person(app, { rootRole: 2 });
  web = await group(app);
});

const user = ({ id }: Person) => ({ type: 'user', id });
const shown = ({ id, name }: Person) => ({
  ...{ type: 'user', id, name, imageUrl: `http://localhost:4242/avatars/${id}.svg` },
});
const read = async (name: string) => (await app.ask(`GET ${features}/${name}`)).json();
const put = (name: string, payload: object) => app.ask(`PUT ${features}/${name}`, { payload });
const summaryOf = async (response: Awaited<ReturnType<typeof put>>) => {
  const { summary } = await app.db
    .selectFrom('events')
    .where('request_id', '=', String(response.headers['x-request-id']))
    .select('summary')
    .executeTakeFirstOrThrow();
  return summary;
};

describe('the owner of a new feature', () => {
  test('is the user who creates it, in all responses', async () => {
    const created = await make(ada.ask).feature('mine');
    expect(created.owner).toEqual(shown(ada));
    expect(await read('mine')).toEqual(created);
    const { features: listed } = (await app.ask(`GET ${features}`)).json();
    expect(listed.find(({ name }: { name: string }) => name === 'mine').owner).toEqual(shown(ada));
    const found = (await app.ask(`GET ${search}?query=mine`)).json().features[0];
    expect(found.owner).toEqual(shown(ada));
  });

  test('is missing if a token or a service account creates it', async () => {
    expect(await make(app.ask).feature('by-token')).not.toHaveProperty('owner');
    const robot = await person(app, { kind: 'service account', rootRole: 1 });
    expect(await make(robot.ask).feature('by-robot')).not.toHaveProperty('owner');
  });

  test('can be given, or null for no owner', async () => {
    const created = await make(ada.ask).feature('given', { owner: user(bo) });
    expect(created.owner).toEqual(shown(bo));
    const ofGroup = await make(ada.ask).feature('given-group', {
      owner: { type: 'group', id: web.id },
      environments: [{ name: 'development', enabled: true }],
    });
    expect(ofGroup.owner).toEqual({ type: 'group', ...{ id: web.id, name: web.name } });
    expect(await make(ada.ask).feature('given-none', { owner: null })).not.toHaveProperty('owner');
  });

  test('is the caller for a clone; the expiry date is not cloned', async () => {
    await make(ada.ask).feature('original', { expiresAt: '2026-04-01T00:00:00Z' });
    const response = await bo.ask(`POST ${features}/original/clone`, {
      payload: { name: 'copied' },
    });
    expect(response.json().owner).toEqual(shown(bo));
    expect(response.json()).not.toHaveProperty('expiresAt');
  });
});

describe('changing the owner', () => {
  beforeAll(() => make(ada.ask).feature('refusing'));

  test('by PUT keeps it if it is omitted and removes it if it is null', async () => {
    await make(ada.ask).feature('put');
    const changed = await put('put', { owner: { ...shown(bo) } });
    expect(changed.json().owner).toEqual(shown(bo));
    expect((await put('put', { description: 'Other' })).json().owner).toEqual(shown(bo));
    expect((await put('put', { owner: null })).json()).not.toHaveProperty('owner');
  });

  test('records both owners, and the summary identifies users by ID', async () => {
    await make(ada.ask).feature('recorded');
    const response = await put('recorded', { owner: { type: 'group', id: web.id } });
    const [event] = await recordedAboutFeatures(app.db, response);
    expect(event).toMatchObject({
      type: 'feature-metadata-updated',
      preData: { owner: { type: 'user', id: ada.id } },
      data: { owner: { type: 'group', id: web.id, name: web.name } },
    });
    expect(await summaryOf(response)).toContain(`from user **${ada.id}** to group **${web.name}**`);
    expect(JSON.stringify(event)).not.toContain(ada.name);
  });

  test('works by PATCH and in a change set', async () => {
    await make(ada.ask).feature('patched');
    const patch = (payload: object[]) => app.ask(`PATCH ${features}/patched`, { payload });
    const replaced = await patch([{ op: 'replace', path: '/owner', value: user(bo) }]);
    expect(replaced.json().owner).toEqual(shown(bo));
    const moved = await patch([{ op: 'replace', path: '/owner/id', value: ada.id }]);
    expect(moved.json().owner).toEqual(shown(ada));
    const removed = await patch([{ op: 'remove', path: '/owner' }]);
    expect(removed.json()).not.toHaveProperty('owner');
    const saved = await app.ask(`POST ${features}/patched/changes`, {
      payload: { changes: [{ action: 'updateFeature', payload: { owner: user(bo) } }] },
    });
    expect(saved.json().feature.owner).toEqual(shown(bo));
  });

  test('in bulk returns the result for each feature', async () => {
    await make(ada.ask).feature('bulk-mine');
    await make(app.ask).feature('bulk-none');
    const bulk = async (payload: object) =>
      (
        await app.ask('POST /api/admin/features/bulk', {
          payload: { action: 'set-owner', features: ['bulk-mine', 'bulk-none'], ...payload },
        })
      ).json();
    expect((await bulk({ owner: user(ada) })).features).toMatchObject([
      { outcome: 'unchanged' },
      { outcome: 'changed' },
    ]);
    expect((await read('bulk-none')).owner).toEqual(shown(ada));
    expect((await bulk({ owner: { type: 'user', id: 999_999 } })).features).toMatchObject([
      { outcome: 'refused', why: "User '999999' not found" },
      { outcome: 'refused' },
    ]);
    expect((await bulk({})).details[0].path).toBe('/body/owner');
    expect((await bulk({ owner: null })).features).toMatchObject([
      { outcome: 'changed' },
      { outcome: 'changed' },
    ]);
  });

  test('runs the same number of statements for many features as for one', async () => {
    const names = ['many-1', 'many-2', 'many-3', 'many-4', 'many-5'];
    for (const name of names) await make(app.ask).feature(name);
    let statements = 0;
    const counted = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ ...app.connection, max: 1 }) }),
      log: () => {
        statements += 1;
      },
    });
    const countOf = async (features: string[], owner: SetOwner) => {
      const before = statements;
      await transactOn(counted)(testActor, (tx) =>
        changeFeaturesInBulk(tx, { action: 'set-owner', features, owner }),
      );
      return statements - before;
    };
    expect(await countOf(names, { type: 'user', id: ada.id })).toBe(
      await countOf(['many-1'], { type: 'user', id: bo.id }),
    );
    await counted.destroy();
    expect((await read('many-1')).owner).toEqual(shown(bo));
    expect((await read('many-5')).owner).toEqual(shown(ada));
  });

  test('requires UPDATE_FEATURE', async () => {
    await make(ada.ask).feature('guarded');
    const viewer = await person(app);
    const response = await viewer.ask(`PUT ${features}/guarded`, {
      payload: { owner: user(viewer) },
    });
    expect(response.statusCode).toBe(403);
    expect(response.body).toContain('UPDATE_FEATURE');
  });

  test.each([
    ['an unknown user', { type: 'user', id: 999_999 }],
    ['an unknown group', { type: 'group', id: 999_999 }],
    ['a free text', 'Ada'],
    ['another type', { type: 'role', id: 1 }],
    ['an ID that is no integer column', { type: 'user', id: 3_000_000_000 }],
  ])('to %s is refused', async (_what, owner) => {
    const response = await put('refusing', { owner });
    expect(response.statusCode).toBe(400);
    expect(distinctPathsOf(response).every((path) => path.startsWith('/body/owner'))).toBe(true);
    const creation = await app.ask(`POST ${features}`, { payload: { name: 'never', owner } });
    expect(creation.statusCode).toBe(400);
  });

  test('to a service account is refused', async () => {
    const robot = await person(app, { kind: 'service account' });
    await make(ada.ask).feature('no-robot');
    expect((await put('no-robot', { owner: user(robot) })).statusCode).toBe(400);
  });
});

describe('in a private project', () => {
  test('only users and groups with access can be owners', async () => {
    const member = await person(app, { rootRole: 3 });
    const team = await group(app);
    await make(ada.ask).project('secret', { mode: 'private' });
    await make(ada.ask).feature('hidden', { project: 'secret' });
    const path = '/api/admin/projects/secret/features/hidden';
    const give = (owner: object) => app.ask(`PUT ${path}`, { payload: { owner } });
    for (const owner of [user(member), { type: 'group', id: team.id }]) {
      const response = await give(owner);
      expect(response.statusCode).toBe(400);
      expect(response.json().details[0].message).toContain("no access to the project 'secret'");
      const created = await app.ask('POST /api/admin/projects/secret/features', {
        payload: { name: 'never', owner },
      });
      expect(distinctPathsOf(created)).toEqual(['/body/owner']);
    }
    const granted_at = new Date();
    await app.db
      .insertInto('project_group_roles')
      .values({ project: 'secret', group_id: team.id, role_id: 5, granted_at })
      .execute();
    expect((await give({ type: 'group', id: team.id })).statusCode).toBe(200);
    await app.ask(`PUT /api/admin/groups/${team.id}`, {
      payload: { name: team.name, users: [{ user: { id: member.id } }] },
    });
    expect((await give(user(member))).json().owner).toEqual(shown(member));
    // Another admin sees every project.
    expect((await give(user(ada))).statusCode).toBe(200);
  });
});

describe('a deleted owner', () => {
  test('is removed from all of their features, and each removal is recorded', async () => {
    const gone = await person(app, { rootRole: 2 });
    const team = await group(app);
    await make(gone.ask).feature('left-by-user');
    await make(ada.ask).feature('left-by-group', { owner: { type: 'group', id: team.id } });
    await make(ada.ask).feature('left-archived', { owner: user(gone) });
    await app.ask(`DELETE ${features}/left-archived`);
    const deletions = [
      await app.ask(`DELETE /api/admin/user-admin/${gone.id}`),
      await app.ask(`DELETE /api/admin/groups/${team.id}`),
    ];
    const [ofUser, ofGroup] = await Promise.all(
      deletions.map((response) => recordedAboutFeatures(app.db, response)),
    );
    const type = 'feature-metadata-updated';
    expect(ofUser).toMatchObject([
      { type, featureName: 'left-archived', preData: { owner: { type: 'user', id: gone.id } } },
      { type, featureName: 'left-by-user', preData: { owner: { type: 'user', id: gone.id } } },
      { type: 'user-deleted' },
    ]);
    expect(ofGroup).toMatchObject([
      { type, featureName: 'left-by-group', preData: { owner: { id: team.id, name: team.name } } },
      { type: 'group-deleted' },
    ]);
    for (const { data } of [...(ofUser ?? []), ...(ofGroup ?? [])]) {
      expect(data ?? {}).not.toHaveProperty('owner');
    }
    const names = async (owner: string) =>
      (await app.ask(`GET ${search}?query=left-by&owner=${owner}&sortBy=name`))
        .json()
        .features.map(({ name }: { name: string }) => name);
    expect(await names('IS:none')).toEqual(['left-by-group', 'left-by-user']);
    expect(await names(`IS:user:${gone.id}`)).toEqual([]);
    for (const name of ['left-by-user', 'left-by-group']) {
      expect(await read(name)).not.toHaveProperty('owner');
    }
    const event = await put('left-by-user', { owner: user(ada) });
    expect(await summaryOf(event)).toContain(`made user **${ada.id}** owner of`);
  });
});

describe('the expiry date', () => {
  beforeAll(() => make(app.ask).feature('strict'));

  test('is set at creation, changed and removed, and each change is recorded', async () => {
    const created = await make(app.ask).feature('expiring', { expiresAt: '2026-03-03T10:00:00Z' });
    expect(created.expiresAt).toBe('2026-03-03T10:00:00.000Z');
    expect(await read('expiring')).toEqual(created);
    const later = await put('expiring', { expiresAt: '2026-05-01T00:00:00+02:00' });
    expect(later.json().expiresAt).toBe('2026-04-30T22:00:00.000Z');
    expect(await summaryOf(later)).toContain('from Mar 3, 2026 to Apr 30, 2026');
    expect((await put('expiring', { description: 'Kept' })).json()).toHaveProperty('expiresAt');
    const sameDay = await put('expiring', { expiresAt: '2026-04-30T23:30:00Z' });
    expect(await summaryOf(sameDay)).toContain('from Apr 30, 2026, 22:00 to 23:30 UTC');
    const sameMinute = await put('expiring', { expiresAt: '2026-04-30T23:30:15Z' });
    expect(await summaryOf(sameMinute)).toContain('updated the expiry date of');
    const removed = await put('expiring', { expiresAt: null });
    expect(removed.json()).not.toHaveProperty('expiresAt');
    expect(await summaryOf(removed)).toContain('removed the expiry date of');
  });

  test.each([
    '2026-03-03',
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:60Z',
    12,
  ])('%s is refused', async (expiresAt) => {
    expect(distinctPathsOf(await put('strict', { expiresAt }))).toEqual(['/body/expiresAt']);
    const patched = await app.ask(`PATCH ${features}/strict`, {
      payload: [{ op: 'add', path: '/expiresAt', value: expiresAt }],
    });
    expect(patched.statusCode).toBe(400);
    const created = await app.ask(`POST ${features}`, { payload: { name: 'new', expiresAt } });
    expect(distinctPathsOf(created)).toEqual(['/body/expiresAt']);
  });
});

describe('the feature search', () => {
  const names = async (ask: TestApp['ask'], query: string) =>
    (await ask(`GET ${search}?query=sought&sortBy=name&${query}`))
      .json()
      .features.map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    await make(ada.ask).feature('sought-ada', { expiresAt: '2026-03-10T12:00:00Z' });
    await make(bo.ask).feature('sought-bo', { expiresAt: '2026-03-10T12:00:01Z' });
    await make(app.ask).feature('sought-none');
    await make(app.ask).feature('sought-web', { owner: { type: 'group', id: web.id } });
  });

  test('filters by owner with every operator', async () => {
    expect(await names(ada.ask, 'owner=IS:me')).toEqual(['sought-ada']);
    expect(await names(app.ask, 'owner=IS:me')).toEqual([]);
    expect(await names(ada.ask, `owner=IS:user:${bo.id}`)).toEqual(['sought-bo']);
    expect(await names(ada.ask, 'owner=IS:none')).toEqual(['sought-none']);
    expect(await names(ada.ask, 'owner=IS_NOT:none')).toHaveLength(3);
    expect(await names(ada.ask, `owner=IS_ANY_OF:none,group:${web.id}`)).toEqual([
      'sought-none',
      'sought-web',
    ]);
    expect(await names(ada.ask, 'owner=IS_NONE_OF:none,me')).toEqual(['sought-bo', 'sought-web']);
  });

  test('filters by expiry', async () => {
    expect(await names(ada.ask, 'expired=IS:true')).toEqual(['sought-ada']);
    expect(await names(ada.ask, 'expired=IS:false')).toHaveLength(3);
  });

  test('sorts by owner and expiry, with features without them last', async () => {
    const ordered = async (order: string) =>
      (await app.ask(`GET ${search}?query=sought&${order}`))
        .json()
        .features.map(({ name }: { name: string }) => name);
    expect(await ordered('sortBy=expiresAt')).toEqual([
      ...['sought-ada', 'sought-bo', 'sought-none', 'sought-web'],
    ]);
    expect((await ordered('sortBy=expiresAt&sortOrder=desc')).slice(0, 2)).toEqual([
      ...['sought-bo', 'sought-ada'],
    ]);
    expect(await ordered('sortBy=owner')).toEqual([
      ...['sought-web', 'sought-ada', 'sought-bo', 'sought-none'],
    ]);
  });

  test.each(['owner=IS:Ada', 'owner=IS:user:x', 'owner=me', 'expired=true'])(
    'refuses %s',
    async (query) => {
      expect((await app.ask(`GET ${search}?${query}`)).statusCode).toBe(400);
    },
  );

  test('finds nothing for an ID beyond the range of IDs', async () => {
    expect(await names(ada.ask, 'owner=IS:user:9999999999')).toEqual([]);
  });
});

describe('reading a feature', () => {
  test('returns potentiallyStale only if its lifetime is over and it is not stale', async () => {
    const createdAt = '2020-01-01T00:00:00Z';
    await make(app.ask).feature('old', { createdAt });
    await make(app.ask).feature('young');
    expect((await read('old')).potentiallyStale).toBe(true);
    expect(await read('young')).not.toHaveProperty('potentiallyStale');
    expect((await put('old', { stale: true })).json()).not.toHaveProperty('potentiallyStale');
  });
});
