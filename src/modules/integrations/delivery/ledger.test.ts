import type { Kysely, KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import {
  delivery,
  failedAttempt,
  happened,
  integration,
} from '../../../../test/support/deliveries.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { createLedger, type LedgerEntry } from './ledger.ts';

const owner = 7;

/** A connection that fails after its first statement was committed and before the result arrives. */
function losingFirstAnswer(db: Kysely<Database>): Kysely<Database> {
  let isLost = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isLost) return result;
      isLost = true;
      throw new Error('Connection terminated unexpectedly');
    },
  };
  return db.withPlugin(plugin);
}

/** An entry for a delivery claimed by this instance. */
async function ended(more: Partial<LedgerEntry>) {
  const { db } = await testDatabase();
  const integrationId = await integration({ db });
  const eventId = await happened({ db }, { project: 'default' });
  const id = await delivery({ db }, integrationId, { eventId, state: 'pending', owner });
  const entry: LedgerEntry = {
    id,
    integrationId,
    fence: 0,
    state: 'givenUp',
    nextAt: null,
    tries: 1,
    outcome: 'failed',
    stateDetails: 'gone',
    target: null,
    attempt: failedAttempt({ status: 410 }),
    latencyMs: 3,
    attemptedAt: new Date(),
    failedBefore: false,
    gone: true,
    ...more,
  };
  return { db, entry };
}

async function written(db: Kysely<Database>, entry: LedgerEntry): Promise<number[]> {
  const gone: number[] = [];
  const ledger = createLedger({
    db,
    owner,
    log: createLogger('silent'),
    onGone: async (integrationId) => void gone.push(integrationId),
    onWritten: () => undefined,
  });
  ledger.add(entry);
  await ledger.settled();
  return gone;
}

test('a receiver that is gone disables its integration even if the response of the database is lost', async () => {
  const { db, entry } = await ended({});
  expect(await written(losingFirstAnswer(db), entry)).toEqual([entry.integrationId]);
  const [row] = await db.selectFrom('deliveries').select(['state', 'attempts']).execute();
  expect(row).toMatchObject({ state: 'givenUp', attempts: [{ status: 410 }] });
});

test('a delivery taken over by another instance is not completed, even after a retry', async () => {
  const { db, entry } = await ended({ fence: -1 });
  expect(await written(losingFirstAnswer(db), entry)).toEqual([]);
});
