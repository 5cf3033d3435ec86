import { type Kysely, sql } from 'kysely';
import {
  createToken,
  ensureTokens,
  hasAdminToken,
  type InitialTokens,
  type InitialTokensReport,
  newAdminSecret,
} from './modules/access/api-tokens/index.ts';
import { changesAccess, changesTokens, systemActor } from './modules/access/gate/index.ts';
import { ensureAdministrator, type FirstAdministrator } from './modules/access/users/index.ts';
import {
  appendingRecorded,
  type ErasureProgress,
  eraseEvents,
  erasureStart,
  prepareSigningKey,
  recordErasure,
  recordedTypes,
} from './modules/events/index.ts';
import { modules } from './modules.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { accessChannel, tokensChannel } from './platform/db/channels.ts';
import {
  type Actor,
  createRehearse,
  createTransact,
  type Database,
  type Transact,
  type Tx,
} from './platform/db/database.ts';
import { isFirstStart, listNewModules } from './platform/db/first-start.ts';
import type { Module } from './platform/module.ts';

/** Writes the events, and notifies all instances if permissions changed. */
async function closingStatements(tx: Tx) {
  const notices = [
    ...(changesAccess(tx) ? [sql`notify ${sql.id(accessChannel)}`] : []),
    ...(changesTokens(tx) ? [sql`notify ${sql.id(tokensChannel)}`] : []),
  ];
  const appending = await appendingRecorded(tx);
  return { long: appending.slice(0, -1), last: [...notices, ...appending.slice(-1)] };
}

/** The effects of a transaction that caches depend on. */
export interface Committed {
  readonly access: boolean;
  readonly tokens: boolean;
  /** The number of recorded events. */
  readonly events: number;
}

/**
 * Runs a transaction whose last statement writes its events. Every change uses it. `onCommit` runs on this instance
 * before the response is sent; other instances receive NOTIFY. Writing the events clears them, so their types are read
 * first.
 */
export const transactOn = (
  db: Kysely<Database>,
  clock: Clock = systemClock,
  onCommit: (what: Committed) => void = () => undefined,
): Transact => {
  const changing = new WeakMap<Tx, Committed>();
  const last = (tx: Tx) => {
    changing.set(tx, {
      access: changesAccess(tx),
      tokens: changesTokens(tx),
      events: recordedTypes(tx).length,
    });
    return closingStatements(tx);
  };
  return createTransact(db, clock, last, (tx) => onCommit(changing.get(tx) as Committed));
};

/** Like `transactOn`, but rolls back: for dry runs. */
export const rehearseOn = (db: Kysely<Database>, clock: Clock = systemClock): Transact =>
  createRehearse(db, clock, closingStatements);

export interface InstallationReport extends InitialTokensReport {
  /** Printed once, on the first start without a configured admin token. */
  readonly generatedToken: string | undefined;
  /**
   * The first administrator's password, printed once, on the first start without users and without a configured
   * administrator.
   */
  readonly generatedPassword: string | undefined;
}

interface InstallationSettings {
  readonly initialTokens: InitialTokens;
  /** The keys that encrypt the secrets of API tokens. */
  readonly encryptionKeys: readonly Buffer[];
  readonly signingKeyFile: string | undefined;
  readonly firstAdministrator: FirstAdministrator;
}

/** Fills an empty database, and stores the configured tokens and signing key. */
export const prepareInstallation = (
  transact: Transact,
  config: InstallationSettings,
): Promise<InstallationReport> =>
  transact(systemActor, async (tx) => {
    const first = await isFirstStart(tx);
    const beginning = (modules as readonly Module[]).filter(({ firstStart }) => firstStart);
    const fresh = await listNewModules(
      tx,
      beginning.map(({ name }) => name),
    );
    for (const module of beginning) if (fresh.has(module.name)) await module.firstStart?.(tx);
    await prepareSigningKey(tx, config.signingKeyFile);
    const generatedPassword = await ensureAdministrator(tx, config.firstAdministrator);
    const { initialTokens, encryptionKeys } = config;
    const ensured = await ensureTokens(tx, initialTokens, encryptionKeys);
    const report = { ...ensured, generatedPassword };
    if (!first || (await hasAdminToken(tx.db))) return { ...report, generatedToken: undefined };
    const secret = newAdminSecret();
    await createToken(tx, { name: 'admin', type: 'admin', secret, origin: 'first start' });
    return { ...report, generatedToken: secret };
  });

/**
 * Erases a person from the log and from the data of all modules. Returns the number of erased events. The first
 * transaction deletes the account, which may be refused, and erases a thousand events; each later one erases a
 * thousand. Other writers wait for one of these transactions at most. After a crash, call this again to erase the rest.
 */
export async function forgetEverywhere(
  transact: Transact,
  actor: Actor,
  creatorId: number,
  batchSize?: number,
): Promise<number> {
  const parts: readonly Module[] = modules;
  let total = 0;
  for (let from: ErasureProgress | undefined = erasureStart; from; ) {
    const begin: ErasureProgress = from;
    const before = total;
    const { ids, next } = await transact(actor, async (tx) => {
      const batch = await eraseEvents(tx, creatorId, begin, batchSize);
      if (begin === erasureStart) for (const part of parts) await part.forget?.(tx, creatorId);
      for (const part of parts) await part.forgetEvents?.(tx, batch.ids);
      const isLast = batch.next === undefined;
      await recordErasure(tx, creatorId, { erased: batch.ids.length, before, isLast });
      return batch;
    });
    total += ids.length;
    from = next;
  }
  return total;
}

/** Encrypts all stored secrets under the first key, so that the other keys can be retired. */
export async function resealEverywhere(tx: Tx, keys: readonly Buffer[]): Promise<number> {
  let count = 0;
  for (const module of modules as readonly Module[]) {
    count += (await module.reseal?.(tx, keys)) ?? 0;
  }
  return count;
}
