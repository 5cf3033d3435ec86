import { type Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { prepareInstallation } from '../app/installation.ts';
import { transactOn } from '../app/transact.ts';
import { createGate, roleIds, systemActor } from '../modules/access/gate/index.ts';
import { verifyLog } from '../modules/events/index.ts';
import { recordSomeDue } from '../modules/insights/health/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { createLogger } from '../platform/log.ts';
import { runStory, transactAt } from './run-story.ts';
import { beginsDaysAgo, story } from './story.ts';

const now = new Date();
const daysBefore = (days: number) => new Date(now.getTime() - days * 86_400_000);

let db: Kysely<Database>;
let gate: ReturnType<typeof createGate>;

const readEvents = () =>
  db
    .selectFrom('events')
    .select(['id', 'type', 'project', 'created_at as at', 'created_by as author'])
    .orderBy('id')
    .execute();

beforeAll(async () => {
  ({ db } = await testDatabase('migrated'));
  await prepareInstallation(transactAt(db, now, beginsDaysAgo), {
    initialTokens: { admin: [], client: [], frontend: [] },
    encryptionKeys: [],
    signingKeyFile: undefined,
    firstAdministrator: { username: 'admin', password: undefined },
  });
  gate = createGate({
    db,
    transact: transactOn(db),
    clock: systemClock,
    log: createLogger('silent'),
    settings: { baseUrl: 'http://localhost', sessionTtlHours: 48, sessionIdleHours: 12 },
  });
  // Throws if the gate denies a step.
  const installation = { encryptionKeys: [Buffer.alloc(32, 1)], baseUrl: 'http://localhost' };
  await runStory(db, gate, now, story(installation, 'admin'));
});

describe('the demo data', () => {
  test('happened in the past half year, in order', async () => {
    const times = (await readEvents()).map(({ at }) => at.getTime());
    expect(times.length).toBeGreaterThan(800);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBe(daysBefore(beginsDaysAgo).getTime());
    expect(beginsDaysAgo).toBeLessThan(200);
    expect(times.at(-1)).toBeLessThanOrEqual(now.getTime());
  });

  test('was created by users and their tools, except what Burgee itself records', async () => {
    const events = await readEvents();
    const later = events.filter(({ at }) => at > daysBefore(beginsDaysAgo));
    const byNobody = later.filter(({ author }) => author === 'burgee-system');
    // Burgee itself records new applications, and features past their expected lifetime.
    expect(new Set(byNobody.map(({ type }) => type))).toEqual(
      new Set(['user-created', 'application-created', 'feature-potentially-stale-on']),
    );
    const authors = new Set(later.map(({ author }) => author));
    expect(authors).toContain('deploy-bot');
    expect(authors).toContain('terraform');
    expect(authors).toContain('ines.duarte@example.com');
    expect(authors).toContain('lupe.herrera@example.com');
    expect(authors.size).toBeGreaterThanOrEqual(14);
  });

  test('contains a potentially stale event for each old feature, so the first start records none', async () => {
    expect(await transactOn(db)(systemActor, recordSomeDue)).toBe(false);
    const old = (await readEvents()).filter(({ type }) => type === 'feature-potentially-stale-on');
    expect(old.length).toBeGreaterThan(30);
    expect(new Set(old.map(({ at }) => at.getTime())).size).toBeGreaterThan(15);
  });

  test('has the last use of users and tokens, and token secrets that can be shown again', async () => {
    const seen = await db.selectFrom('last_seen').select(['kind', 'seen_at as at']).execute();
    const people = seen.filter(({ kind }) => kind === 'account');
    expect(people.length).toBeGreaterThanOrEqual(14);
    expect(new Set(people.map(({ at }) => at.toDateString())).size).toBeGreaterThan(4);
    expect(seen.filter(({ kind }) => kind === 'api token')).toHaveLength(5);
    const sealed = await db
      .selectFrom('api_tokens')
      .where('type', '<>', 'admin')
      .select('sealed_secret as sealed')
      .execute();
    expect(sealed.filter((token) => token.sealed === null)).toEqual([]);
  });

  test('has project settings changed only by project owners', async () => {
    const owners = await db
      .selectFrom('project_user_roles as held')
      .innerJoin('users', 'users.id', 'held.user_id')
      .where('held.role_id', '=', roleIds.owner)
      .select(['held.project', 'users.email'])
      .execute();
    const ofOwners = new Set([
      'project-updated',
      'project-environment-added',
      'default-strategy-updated',
      'project-archived',
    ]);
    const decided = (await readEvents()).filter(({ type }) => ofOwners.has(type));
    expect(new Set(decided.map(({ type }) => type))).toEqual(ofOwners);
    const byOthers = decided.filter(
      ({ project, author }) =>
        !owners.some((owner) => owner.project === project && owner.email === author),
    );
    expect(byOthers).toEqual([]);
    expect(owners).toHaveLength(8);
  });

  test('has a dozen users in four teams, and a user for each role', async () => {
    const accounts = await db.selectFrom('users').select(['kind', 'email', 'root_role']).execute();
    expect(accounts.filter(({ kind }) => kind === 'person')).toHaveLength(13);
    expect(accounts.filter(({ kind }) => kind === 'service account')).toHaveLength(2);
    const teams = await db
      .selectFrom('group_users')
      .innerJoin('groups', 'groups.id', 'group_users.group_id')
      .select(({ fn }) => ['groups.name', fn.countAll<number>().as('people')])
      .groupBy('groups.name')
      .orderBy('groups.name')
      .execute();
    expect(teams).toEqual([
      { name: 'Mobile', people: 3 },
      { name: 'Operations', people: 2 },
      { name: 'Payments', people: 3 },
      { name: 'Web', people: 3 },
    ]);
    const roles = await db.selectFrom('roles').select(['id', 'name']).execute();
    const given = await db.selectFrom('project_user_roles').select('role_id as id').execute();
    const held = new Set([
      ...accounts.map(({ root_role }) => root_role),
      ...given.map(({ id }) => id),
    ]);
    // Members have their role through a team.
    expect(roles.filter(({ id }) => !held.has(id)).map(({ name }) => name)).toEqual(['Member']);
  });

  test('has follows of the administrator with later changes', async () => {
    const { rows } = await sql<{ changes: number }>`
      select count(*)::int as changes from events e
      where (e.project in (select project from project_follows where user_id = 1)
        or e.feature_name in (select feature_name from feature_follows where user_id = 1))
        and e.created_at > (select max(created_at) from feature_follows where user_id = 1)`.execute(
      db,
    );
    expect(rows[0]?.changes).toBeGreaterThan(5);
  });

  test('has delivered, failed and pending deliveries, all to local targets', async () => {
    const { rows } = await sql<{ description: string; state: string; count: number }>`
      select i.description, d.state, count(*) as count
      from deliveries d join integrations i on i.id = d.integration_id
      group by 1, 2 order by 1, 2`.execute(db);
    const statesOf = (name: string) =>
      rows.filter(({ description }) => description.startsWith(name)).map(({ state }) => state);
    expect(statesOf('Audit')).toContain('delivered');
    expect(statesOf('Clears')).toEqual(['delivered', 'givenUp', 'pending']);
    expect(statesOf('Posts')).toEqual(['delivered', 'pending']);
    expect(statesOf('Deployment')).toEqual([]);
    const targets = await db.selectFrom('deliveries').select('target').distinct().execute();
    expect(targets.map(({ target }) => target ?? 'http://localhost:')).toSatisfy(
      (all: readonly string[]) => all.every((each) => each.startsWith('http://localhost:')),
    );
  });

  test('has applications that evaluate features and unknown flags', async () => {
    const applications = await db.selectFrom('applications').select('app_name').execute();
    expect(applications.length).toBeGreaterThanOrEqual(6);
    const live = await db
      .selectFrom('feature_environments')
      .where('last_seen_at', '>', daysBefore(1))
      .where('environment', '=', 'production')
      .select('feature_name')
      .execute();
    expect(live.length).toBeGreaterThan(30);
    const unknown = await db.selectFrom('unknown_features').select('name').distinct().execute();
    const names = unknown.map(({ name }) => name).sort();
    expect(names).toEqual(['loadtest-probe', 'pay-klarna', 'serch-history', 'wishlist-sharing']);
    const ignored = await db.selectFrom('ignored_names').select('name').execute();
    expect(ignored).toEqual([{ name: 'loadtest-probe' }]);
  });

  test('has an intact event log', async () => {
    const { ok, fault, checked } = await verifyLog(db);
    expect({ ok, fault }).toEqual({ ok: true, fault: undefined });
    expect(checked).toBe((await readEvents()).length);
  });
});

describe('permission checks of the demo', () => {
  const hana = 'hana.mori@example.com';
  const nothing = async () => undefined;

  test.each([
    {
      why: 'a user lacks the permission',
      by: hana,
      request: { operation: 'updateProject', project: 'search' },
      refusal: 'hana.mori@example.com may not do updateProject',
    },
    {
      why: 'a release manager creates a feature',
      by: 'ines.duarte@example.com',
      request: { operation: 'createFeature', project: 'checkout' },
      refusal: 'ines.duarte@example.com may not do createFeature',
    },
    {
      why: 'the project is archived',
      by: 'goran.petrov@example.com',
      request: { operation: 'createFeature', project: 'anniversary-sale' },
      refusal: 'goran.petrov@example.com may not do createFeature',
    },
    {
      why: 'the project is missing',
      by: hana,
      request: { operation: 'createFeature' },
      refusal: 'createFeature needs :projectId',
    },
    {
      why: 'the API has no such operation',
      by: hana,
      request: { operation: 'createWeather' },
      refusal: 'asks for createWeather, which the API does not have',
    },
    {
      why: 'the user does not exist yet',
      by: 'zoe@example.com',
      request: { operation: 'createFeature', project: 'search' },
      refusal: 'names zoe@example.com, who is not there yet',
    },
  ])('reject a step: $why', async ({ by, request, refusal }) => {
    const chapter = { daysAgo: 0, by, requests: [request], run: nothing };
    await expect(runStory(db, gate, now, [chapter])).rejects.toThrow(refusal);
  });

  test('accept a permitted step', async () => {
    const requests = [{ operation: 'createFeature', project: 'search' }];
    await runStory(db, gate, now, [{ daysAgo: 0, by: hana, requests, run: nothing }]);
  });
});
