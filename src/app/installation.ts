import {
  createToken,
  ensureTokens,
  hasAdminToken,
  type InitialTokens,
  type InitialTokensReport,
  newAdminSecret,
} from '../modules/access/api-tokens/index.ts';
import { systemActor } from '../modules/access/gate/index.ts';
import { ensureAdministrator, type FirstAdministrator } from '../modules/access/users/index.ts';
import {
  type ErasureProgress,
  eraseEvents,
  erasureStart,
  prepareSigningKey,
  recordErasure,
} from '../modules/events/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Transact, Tx } from '../platform/db/database.ts';
import { isFirstStart, listNewModules } from '../platform/db/first-start.ts';
import type { Module } from '../platform/module.ts';
import { modules } from './modules.ts';

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

/** Creates the initial data of modules that the installation has never had. Returns whether this is its first start. */
async function startModules(tx: Tx): Promise<boolean> {
  const first = await isFirstStart(tx);
  const beginning = (modules as readonly Module[]).filter(({ firstStart }) => firstStart);
  const fresh = await listNewModules(
    tx,
    beginning.map(({ name }) => name),
  );
  for (const module of beginning) if (fresh.has(module.name)) await module.firstStart?.(tx);
  return first;
}

/** Does what the next start and the first change will do to the tables, to see whether they can. For rehearsals. */
export async function tryInstallation(tx: Tx): Promise<void> {
  await startModules(tx);
  const secret = newAdminSecret();
  await createToken(tx, { name: 'rehearsal', type: 'admin', secret, origin: 'command line' });
}

/** Fills an empty database, and stores the configured tokens and signing key. */
export const prepareInstallation = (
  transact: Transact,
  config: InstallationSettings,
): Promise<InstallationReport> =>
  transact(systemActor, async (tx) => {
    const first = await startModules(tx);
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
