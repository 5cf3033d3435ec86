import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeLater } from '../../../../test/support/closing.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { type Happening, happen } from '../../../../test/support/happen.ts';
import type { Connection } from '../../../platform/db/connect.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { createAdmission } from './admission.ts';
import type { TailSubject } from './batch.ts';
import { createTails } from './tails.ts';

let db: Kysely<Database>;
let connection: Connection;
beforeAll(async () => {
  ({ db, connection } = await testDatabase());
});

/** Counts the reads of one test. A read of the previous test may still be running. */
function countingReads() {
  let reads = 0;
  const types = {
    getTypeParser: (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid)),
  };
  const pool = new pg.Pool({ ...connection, max: 8, types });
  const searchDb = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      if (query.sql.includes('matching as materialized')) reads += 1;
    },
  });
  closeLater(() => searchDb.destroy());
  return { searchDb, reads: () => reads, connections: () => pool.totalCount };
}

/** A client that accepts data immediately, or only when the test says so. */
class Client extends EventEmitter {
  text = '';
  destroyed = false;
  ended = false;
  readonly takes: 'all' | 'nothing';
  constructor(takes: 'all' | 'nothing' = 'all') {
    super();
    this.takes = takes;
  }
  write(bytes: Buffer | string): boolean {
    this.text += bytes;
    this.emit('written');
    return this.takes === 'all';
  }
  end(bytes: string): void {
    this.text += bytes;
    this.ended = true;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
  readonly ids = (): number[] =>
    [...this.text.matchAll(/^id: (\d+)\nevent: event$/gm)].map(([, id]) => Number(id));
}

const opened: Client[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client.destroy();
});

function follow() {
  const { searchDb, reads, connections } = countingReads();
  const notifications = new Map<string, (() => void)[]>();
  let now = Date.now();
  const tails = createTails({
    searchDb,
    listUnchangedActors: async (actors) => new Set(actors.map(({ id }) => id)),
    listener: {
      on: (channel, call) => {
        const notify = () => call('notified');
        notifications.set(channel, [...(notifications.get(channel) ?? []), notify]);
        return () => true;
      },
      keep: async () => undefined,
      isConnected: () => true,
      subscribed: async () => undefined,
      close: async () => undefined,
    },
    stopping: new AbortController().signal,
    onDrain: () => undefined,
    clock: () => new Date(now),
    log: createLogger('silent'),
  });
  return {
    tails,
    reads,
    connections,
    listening: () => [...notifications.values()].flat().length,
    notify: (channel = 'burgee_events') => {
      for (const call of notifications.get(channel) ?? []) call();
    },
    pass: (ms: number) => {
      now += ms;
    },
    open: (client: Client, subject: Partial<TailSubject> = {}, after = end) => {
      const raw = client as unknown as ServerResponse;
      opened.push(client);
      tails.open({
        ...{ raw, after, lastVisible: after, accessVersion: tails.accessVersion() },
        actor: { kind: 'person', id: 7 },
        subject: {
          filter: {},
          visible: undefined,
          visibility: { ip: false, proof: false },
          hints: false,
          ...subject,
        },
      });
      return client;
    },
  };
}

let end = 0;
beforeEach(async () => {
  end = Number(
    (
      await db
        .selectFrom('events')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirstOrThrow()
    ).id,
  );
});

const waiting = { interval: 5 };

describe('tails of the log', () => {
  test('share one read if they have the same filter and access', async () => {
    const { open, notify, reads } = follow();
    const clients = Array.from({ length: 40 }, () => open(new Client()));
    await expect.poll(reads, waiting).toBe(1);
    await happen(db, {}, {});
    notify();
    for (const client of clients) {
      await expect.poll(client.ids, waiting).toEqual([end + 1, end + 2]);
    }
    expect(reads()).toBe(2);
  });

  test('use one connection in turn if they have different filters', async () => {
    const { open, notify, reads, connections } = follow();
    const clients = Array.from({ length: 30 }, (_, nth) =>
      open(new Client(), { filter: { projects: ['default', `other-${nth}`] } }),
    );
    await happen(db, { project: 'default' });
    notify();
    for (const client of clients) await expect.poll(client.ids, waiting).toEqual([end + 1]);
    expect(reads()).toBeGreaterThanOrEqual(30);
    expect(connections()).toBe(1);
  });

  test('do not wait for tails that are catching up', async () => {
    await happen(db, { project: 'default' });
    const { open, notify, reads } = follow();
    const live = open(new Client(), { filter: { projects: ['default'] } }, end + 1);
    await expect.poll(reads, waiting).toBe(1);
    let readsBefore = 0;
    live.on('written', () => {
      if (live.ids().length > 0) readsBefore ||= reads();
    });
    await happen(db, { project: 'default' });
    // Each has another filter, so that they do not share a read.
    const others = Array.from({ length: 40 }, (_, nth) =>
      open(new Client(), { filter: { projects: ['default', `other-${nth}`] } }, 0),
    );
    // The notification arrives while the first of the others is served.
    others[0]?.once('written', () => notify());
    await expect.poll(live.ids, waiting).toEqual([end + 2]);
    expect(readsBefore).toBeGreaterThan(1);
    expect(readsBefore).toBeLessThan(40);
    for (const client of others)
      await expect.poll(() => client.ids().at(-1), waiting).toBe(end + 2);
  });

  test('share one listener and clean up after themselves', async () => {
    const { open, listening, tails } = follow();
    expect(listening()).toBe(2);
    const clients = Array.from({ length: 20 }, () => open(new Client()));
    const gone = new Client();
    gone.destroyed = true;
    open(gone);
    expect([listening(), tails.count(), gone.text]).toEqual([2, 20, '']);
    for (const client of clients) client.destroy();
    expect([listening(), tails.count()]).toEqual([2, 0]);
  });

  test('buffer a limited part of the log for a client that does not read, and disconnect it after a minute', async () => {
    const note = 'x'.repeat(100_000);
    await happen(db, ...Array.from({ length: 12 }, () => ({ data: { note } })));
    const { open, notify, pass, tails } = follow();
    const client = open(new Client('nothing'));
    client.emit('drain');
    await expect.poll(client.ids, waiting).toHaveLength(3);
    expect(client.text.length).toBeLessThan(400_000);
    notify();
    const other = open(new Client());
    await expect.poll(other.ids, waiting).toHaveLength(12);
    expect(client.ids()).toHaveLength(3);
    client.emit('drain');
    await expect.poll(client.ids, waiting).toHaveLength(6);
    pass(61_000);
    await expect.poll(() => client.destroyed, waiting).toBe(true);
    expect(tails.count()).toBe(1);
  });

  test('send the id of the last visible event and do not reveal other events', async () => {
    const { open, notify, pass, reads } = follow();
    const seen = { projects: ['default'] };
    const client = open(new Client(), {
      filter: { ...seen, types: ['tag-created'] },
      visible: seen,
    });
    const witness = open(new Client());
    // From here on both are read only when notified, and one after the other.
    await expect.poll(reads, waiting).toBe(2);
    /** The witness is read after the other tail. Once it has its event, the other tail was read as well. */
    let total = 0;
    const told = async (...happenings: Happening[]) => {
      await happen(db, ...happenings);
      notify();
      total += happenings.length;
      await expect.poll(() => witness.ids().length, waiting).toBe(total);
    };
    await told({ project: 'default' });
    await told({ project: 'default' }, { project: 'hidden' }, { project: null });
    const before = client.text;
    pass(16_000);
    await expect.poll(() => client.text, waiting).toBe(`${before}id: ${end + 2}\n\n`);
    await told({ project: 'hidden' });
    pass(16_000);
    await expect
      .poll(() => client.text, waiting)
      .toBe(`${before}id: ${end + 2}\n\nid: ${end + 2}\n\n`);
  });

  test('end immediately when access changes, including those admitted before and opened afterwards', async () => {
    const { open, notify, tails } = follow();
    const client = open(new Client());
    notify('burgee_access');
    expect(client.ended).toBe(true);
    const late = new Client();
    tails.open({
      raw: late as unknown as ServerResponse,
      actor: { kind: 'person', id: 7 },
      subject: {
        filter: {},
        visible: undefined,
        visibility: { ip: false, proof: false },
        hints: false,
      },
      ...{ after: end, lastVisible: end, accessVersion: tails.accessVersion() - 1 },
    });
    expect([late.ended, tails.count()]).toEqual([true, 0]);
  });

  test('continue after a failed read', async () => {
    const { open, notify } = follow();
    const client = open(new Client(), { filter: { types: ['no\u0000such'] } });
    const other = open(new Client());
    await happen(db, {});
    notify();
    notify();
    await expect.poll(other.ids, waiting).toEqual([end + 1]);
    expect(client.ended).toBe(false);
  });
});

test('the number of tails is limited per account and per instance', () => {
  const { admit, count } = createAdmission({ perAccount: 2, perInstance: 3 });
  const [first] = [admit(1), admit(1)];
  const refused = { status: 503, retryAfterSeconds: 30 };
  expect(() => admit(1)).toThrow(expect.objectContaining(refused));
  admit(2);
  expect(() => admit(2)).toThrow(
    expect.objectContaining({
      ...refused,
      message: expect.stringContaining('limit of 3 live event streams'),
    }),
  );
  first?.();
  admit(2);
  expect(count()).toBe(3);
});
