import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../support/app.ts';
import { featuresOn } from '../support/features.ts';
import { type Person, person } from '../support/people.ts';
import { countEvents } from '../support/recorded.ts';
import { logIn, newcomer } from '../support/visitor.ts';

let app: TestApp;
let other: Person;
beforeAll(async () => {
  app = await testApp({ config: { databasePoolMax: 10 } });
  for (const id of ['one', 'two']) {
    await app.ask('POST /api/admin/projects', { payload: { id, name: id } });
  }
  other = await person(app, { roles: { two: 5 } });
  await featuresOn(app).create({ name: 'elsewhere' }, 'two');
});

const featureIn = (project: string, name: string) =>
  `/api/admin/projects/${project}/features/${name}` as const;

type Response = Awaited<ReturnType<TestApp['ask']>>;

/** Runs the work while a transaction holds the lock of the feature, as another instance might. */
const whileLocked = (feature: string, work: () => Promise<void>) =>
  app.transact(testActor, async (tx) => {
    await sql`select from features where name = ${feature} for update`.execute(tx.db);
    await work();
  });

let mostWaiting = 0;

/** The number of server connections that wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'burgee' and wait_event_type = 'Lock'`.execute(
    app.db,
  );
  const count = rows[0]?.count ?? 0;
  mostWaiting = Math.max(mostWaiting, count);
  return count;
}

/** Waits until this many connections wait for a lock, runs `others`, and checks that no more ever waited. */
async function waitingIs(count: number, others: () => Promise<void>): Promise<void> {
  mostWaiting = 0;
  await expect.poll(countWaiting, { timeout: 60_000 }).toBe(count);
  await others();
  await countWaiting();
  expect(mostWaiting).toBe(count);
}

const isBusy = ({ statusCode, headers, json }: Response): boolean => {
  if (statusCode !== 503) return false;
  expect(json()).toMatchObject({
    name: 'UnavailableError',
    message: expect.stringContaining('Burgee is busy'),
  });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  return true;
};

describe('while many changes of one account wait for a feature', () => {
  test('other users can read, change and sign in, and excess requests get a busy error', async () => {
    const feature = 'contended';
    await featuresOn(app).create({ name: feature }, 'one');
    const member = await person(app, { roles: { one: 5 } });
    const { username, password } = await newcomer(app);
    const recordedBefore = await countEvents(app.db);
    const responses: Response[] = [];
    const sent: Promise<void>[] = [];
    const send = (request: Promise<Response>) =>
      void sent.push(request.then((response) => void responses.push(response)));

    await whileLocked(feature, async () => {
      for (let nth = 0; nth < 60; nth += 1) {
        const payload = { description: `description ${nth}` };
        send(member.ask(`PUT ${featureIn('one', feature)}`, { payload }));
      }
      for (let nth = 0; nth < 5; nth += 1) {
        const changes = [{ action: 'updateFeature', payload: { description: `set ${nth}` } }];
        send(member.ask(`POST ${featureIn('one', feature)}/changes`, { payload: { changes } }));
      }
      await waitingIs(1, async () => {
        const answered = async () => {
          await countWaiting();
          return responses.length;
        };
        await expect.poll(answered, { timeout: 60_000 }).toBeGreaterThanOrEqual(15);
        expect(responses.filter(isBusy)).toHaveLength(responses.length);
        expect((await other.ask('GET /api/admin/projects')).statusCode).toBe(200);
        const favorite = await other.ask(`POST ${featureIn('two', 'elsewhere')}/favorites`);
        expect(favorite.statusCode).toBe(200);
        expect((await logIn(app, { username, password })).statusCode).toBe(200);
      });
    });

    await Promise.all(sent);
    // If the above takes ten seconds on a slow machine, some of the waiting requests time out.
    const done = responses.filter((response) => !isBusy(response));
    expect(done.map(({ statusCode }) => statusCode)).toEqual(done.map(() => 200));
    const favorites = 1;
    expect(await countEvents(app.db)).toBe(recordedBefore + done.length + favorites);
  });
});

test('changes by many accounts to one feature use one connection while waiting, and none is lost', async () => {
  const feature = 'popular';
  await featuresOn(app).create({ name: feature }, 'one');
  const members = await Promise.all(
    Array.from({ length: 12 }, () => person(app, { roles: { one: 5 } })),
  );
  let sent: Promise<Response>[] = [];
  await whileLocked(feature, async () => {
    sent = members.map((member) =>
      member.ask(`POST ${featureIn('one', feature)}/environments/development/strategies`, {
        payload: { name: 'default', title: member.name },
      }),
    );
    await waitingIs(1, async () => {
      const payload = { description: 'changed' };
      const elsewhere = await app.ask(`PUT ${featureIn('two', 'elsewhere')}`, { payload });
      expect(elsewhere.statusCode).toBe(200);
    });
  });
  const done = (await Promise.all(sent)).filter((response) => !isBusy(response));
  expect(done.map(({ statusCode }) => statusCode)).toEqual(done.map(() => 200));
  const { environments } = (await app.ask(`GET ${featureIn('one', feature)}`)).json();
  const strategies = environments.flatMap(({ strategies }: { strategies: object[] }) => strategies);
  expect(strategies).toHaveLength(done.length);
});

test('an account never takes the connections that sign-ins and other accounts need', async () => {
  const names = Array.from({ length: 10 }, (_, nth) => `held-${nth}`);
  for (const name of names) await featuresOn(app).create({ name }, 'one');
  const member = await person(app, { roles: { one: 5 } });
  const { username, password } = await newcomer(app);
  let sent: Promise<Response>[] = [];
  await app.transact(testActor, async (tx) => {
    await sql`select from features where name = any(${names}) for update`.execute(tx.db);
    sent = names.map((name) =>
      member.ask(`PUT ${featureIn('one', name)}`, { payload: { description: 'waits' } }),
    );
    await waitingIs(3, async () => {
      const payload = { description: 'does not wait' };
      const elsewhere = await other.ask(`PUT ${featureIn('two', 'elsewhere')}`, { payload });
      expect(elsewhere.statusCode).toBe(200);
      expect((await logIn(app, { username, password })).statusCode).toBe(200);
    });
  });
  for (const response of await Promise.all(sent)) {
    expect(isBusy(response) || response.statusCode === 200).toBe(true);
  }
});
