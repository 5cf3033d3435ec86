import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testActor } from '../../../../test/support/app.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { type ServerProcess, startServer } from '../../../../test/support/server-process.ts';
import { transactOn } from '../../../app/transact.ts';
import { defineEvent, record } from '../../events/index.ts';

const events = 10_000;
const instances = 2;

/** The connection URL of a test database, for the environment of a process. */
const urlOf = ({
  host,
  port,
  user,
  database,
}: {
  host?: string;
  port?: number;
  user?: string;
  database?: string;
}) =>
  `postgres://${user ?? ''}@localhost/${database}?host=${encodeURIComponent(host ?? '')}&port=${port ?? ''}`;

const happened = defineEvent<object>({
  type: 'feature-created',
  label: 'Something happened',
  summary: ({ user, feature }) => `${user} made ${feature}`,
});

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly eventId: number;
}

interface ShownDelivery {
  readonly id: string;
  readonly nextAttemptAt?: string;
  readonly why: string;
}

/** Lists pending deliveries through the API, page by page. */
async function listPending(server: ServerProcess, id: number): Promise<ShownDelivery[]> {
  const shown: ShownDelivery[] = [];
  for (;;) {
    const response = await server.ask(
      `GET /api/admin/addons/${id}/deliveries?state=pending&limit=1000&offset=${shown.length}`,
    );
    expect(response.status).toBe(200);
    const { deliveries, total } = (await response.json()) as {
      deliveries: ShownDelivery[];
      total: { pending: number };
    };
    shown.push(...deliveries);
    if (deliveries.length === 0 || shown.length >= total.pending) {
      expect(shown).toHaveLength(total.pending);
      return shown;
    }
  }
}

test('none of 10,000 events is lost if the receiver fails and hangs and instances are killed repeatedly', async () => {
  const { connection, db } = await testDatabase();
  const settings = {
    DATABASE_URL: connection.connectionString ?? urlOf(connection as never),
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    DELIVERY_TIMEOUT_SECONDS: '1',
  };
  const bodies = new Map<string, string>();
  const delivered = new Set<number>();
  const rolledBack: number[] = [];
  const contradictions: string[] = [];
  // With a fixed seed: 30 % fail, 5 % hang, 5 % reset.
  let seed = 42;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const receiver = await startReceiver(({ headers, body }) => {
    const id = headers['webhook-id'] ?? '';
    const before = bodies.get(id);
    if (before !== undefined && before !== body) contradictions.push(id);
    bodies.set(id, body);
    const event = JSON.parse(body);
    if (event.data.rolledBack) rolledBack.push(event.id);
    const chance = random();
    if (chance < 0.3) return { status: 500 };
    if (chance < 0.35) return 'hang';
    if (chance < 0.4) return 'reset';
    delivered.add(event.id);
    return { status: 200 };
  });

  const servers: ServerProcess[] = [];
  for (let number = 0; number < instances; number += 1) servers.push(await startServer(settings));
  const [first] = servers as [ServerProcess];
  const made = await first.ask('POST /api/admin/addons', {
    body: {
      provider: 'webhook',
      enabled: true,
      events: ['feature-created'],
      parameters: { url: receiver.url },
    },
  });
  expect(made.status).toBe(201);

  let writing = true;
  const transact = transactOn(db);
  const write = async () => {
    for (let count = 0; count < events; count += 50) {
      await transact(testActor, async (tx) => {
        for (let place = 0; place < 50; place += 1) {
          record(
            tx,
            happened({
              project: 'default',
              featureName: `f-${count + place}`,
              data: { n: count + place },
            }),
          );
        }
      });
      // For every fifty committed events, one is rolled back.
      await transact(testActor, async (tx) => {
        record(tx, happened({ featureName: 'never', data: { rolledBack: true } }));
        throw new Error('changed our mind');
      }).catch(() => undefined);
    }
    writing = false;
  };
  const kill = async () => {
    for (let turn = 0; writing || turn < 8; turn += 1) {
      await delay(900);
      const victim = turn % instances;
      await (servers[victim] as ServerProcess).end('SIGKILL');
      servers[victim] = await startServer(settings);
    }
  };
  await Promise.all([write(), kill()]);

  const list = async () =>
    (await db
      .selectFrom('deliveries')
      .select(['id', 'state', 'outcome', 'event_id as eventId', 'attempts', 'owner'])
      .execute()) as (Delivery & { attempts: unknown[]; owner: number | null })[];
  // Until every delivery is delivered or waits for a later attempt.
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from deliveries
      where state = 'pending' and (owner is not null or tries < 2)`.execute(db);
    const { eventId, head } = await db
      .selectFrom('delivery_progress')
      .select([
        'event_id as eventId',
        sql<number>`(select max(id) from events where type = 'feature-created')`.as('head'),
      ])
      .executeTakeFirstOrThrow();
    if (rows[0]?.count === 0 && eventId >= head) break;
    await delay(200);
  }
  // Further attempts would change what is compared. The earliest are due five minutes after the second ones.
  for (;;) {
    await sql`
      update deliveries set next_at = now() + interval '1 hour'
      where state = 'pending' and owner is null and next_at < now() + interval '10 minutes'`.execute(
      db,
    );
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from deliveries
      where state = 'pending' and (owner is not null or next_at < now() + interval '10 minutes')`.execute(
      db,
    );
    if (rows[0]?.count === 0) break;
    await delay(200);
  }
  const all = await list();
  const committed = await db
    .selectFrom('events')
    .where('type', '=', 'feature-created')
    .select('id')
    .execute();

  // Every committed event has exactly one delivery, and rolled-back ones have none.
  expect(all.map(({ eventId }) => eventId).toSorted((a, b) => a - b)).toEqual(
    committed.map(({ id }) => id).toSorted((a, b) => a - b),
  );
  expect(committed).toHaveLength(events);
  const done = all.filter(({ state }) => state === 'delivered');
  const pending = all.filter(({ state }) => state === 'pending');
  expect(done.length + pending.length).toBe(events);
  expect(done.length).toBeGreaterThan(0.7 * events);
  expect(done.filter(({ eventId }) => !delivered.has(eventId))).toEqual([]);
  expect(pending.filter(({ attempts }) => attempts.length === 0)).toEqual([]);
  expect(contradictions).toEqual([]);
  expect(rolledBack).toEqual([]);

  // A pending delivery shows when it is tried next, and why it was not delivered yet.
  const { id } = (await made.json()) as { id: number };
  const shown = await listPending(servers[0] as ServerProcess, id);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.map((each) => each.id).toSorted()).toEqual(
    pending.map((each) => each.id).toSorted(),
  );
  const waiting = /^Attempt \d of \d scheduled\. Last attempt .+/;
  expect(
    shown.filter(
      ({ why, nextAttemptAt }) =>
        !waiting.test(why) || !(Date.parse(nextAttemptAt ?? '') > Date.now()),
    ),
  ).toEqual([]);
});

test('after a kill -9 while sending, the next start sends the delivery again before its lease ends', async () => {
  const { connection, db } = await testDatabase();
  const settings = {
    DATABASE_URL: connection.connectionString ?? urlOf(connection as never),
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  };
  const receiver = await startReceiver('hang');
  const server = await startServer(settings);
  const made = await server.ask('POST /api/admin/addons', {
    body: {
      provider: 'webhook',
      enabled: true,
      events: ['feature-created'],
      parameters: { url: receiver.url },
    },
  });
  expect(made.status).toBe(201);
  await transactOn(db)(testActor, async (tx) =>
    record(tx, happened({ featureName: 'f', data: { n: 1 } })),
  );
  while (receiver.received.length === 0) await delay(10);
  await server.end('SIGKILL');
  receiver.answer({ status: 200 });

  await startServer(settings);
  // Ten times earlier than the end of the lease. The benchmark measures the exact time.
  while (receiver.received.length === 1) await delay(5);

  const [sent, again] = receiver.received;
  expect(again?.headers['webhook-id']).toBe(sent?.headers['webhook-id']);
  expect(again?.body).toBe(sent?.body);
});
