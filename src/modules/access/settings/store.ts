import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { seal, tryUnseal, unseal } from '../../../platform/secret-box.ts';
import { record } from '../../events/index.ts';
import { settingCreated, settingDeleted, settingUpdated } from './events.ts';
import {
  deleteSetting,
  findSetting,
  insertSetting,
  lockSecretSettings,
  lockSetting,
  type StoredSetting,
  updateSetting,
} from './queries.ts';

type Keys = readonly Buffer[];
type Value = Readonly<Record<string, unknown>>;

/** The secret part of a setting. */
export interface SecretChange {
  readonly keys: Keys;
  /** Undefined leaves the stored secret, null removes it. */
  readonly text: string | null | undefined;
}

const purposeOf = (id: string) => `setting ${id}`;

export async function readSetting<Stored extends object>(
  db: Db,
  id: string,
): Promise<Stored | undefined> {
  const stored = await findSetting(db, id);
  return stored?.value as Stored | undefined;
}

/** Locks the setting, so that concurrent changes are included. */
export async function getSettingForUpdate<Stored extends object>(
  tx: Tx,
  id: string,
): Promise<{ readonly value: Stored; readonly hasSecret: boolean } | undefined> {
  const stored = await lockSetting(tx, id);
  return stored && { value: stored.value as Stored, hasSecret: stored.secret !== null };
}

export const hasSecret = async (db: Db, id: string): Promise<boolean> =>
  Boolean((await findSetting(db, id))?.secret);

/** Undefined if the setting has no secret. */
export async function readSecret(db: Db, keys: Keys, id: string): Promise<string | undefined> {
  const stored = await findSetting(db, id);
  return stored?.secret ? unseal(keys, stored.secret, purposeOf(id)) : undefined;
}

const changedFields = (before: Value, after: Value): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isDeepStrictEqual(before[key], after[key]),
  );

const hiddenDetails = { hideEventDetails: true };

/** The stored secret after a change, and whether its text differs. */
function resealSecret(id: string, stored: Buffer | null, { keys, text }: SecretChange) {
  if (text === undefined) return { sealed: stored, isChanged: false };
  if (text === null) return { sealed: null, isChanged: stored !== null };
  const open = (withKeys: Keys) => stored && tryUnseal(withKeys, stored, purposeOf(id));
  if (open(keys.slice(0, 1)) === text) return { sealed: stored, isChanged: false };
  // The same text under a former key is sealed again, so that the old key can be retired.
  return { sealed: seal(keys, text, purposeOf(id)), isChanged: open(keys) !== text };
}

async function change(
  tx: Tx,
  id: string,
  before: StoredSetting,
  value: Value,
  secret: SecretChange | undefined,
): Promise<void> {
  const { sealed, isChanged } = secret
    ? resealSecret(id, before.secret, secret)
    : { sealed: before.secret, isChanged: false };
  const fields = changedFields(before.value as Value, value);
  const changed = (isChanged ? [...fields, 'secret'] : fields).sort();
  if (changed.length === 0 && sealed === before.secret) return;
  await updateSetting(tx, id, { value, secret: sealed });
  if (changed.length === 0) return;
  record(
    tx,
    secret
      ? settingUpdated({
          data: { id, ...hiddenDetails, changed, value },
          preData: { ...hiddenDetails, value: before.value },
        })
      : settingUpdated({ data: { id, ...value }, preData: before.value as Value }),
  );
}

/** Creates or changes a setting. Of the secret, the event says only that it changed. */
export async function writeSetting(
  tx: Tx,
  id: string,
  value: Value,
  secret?: SecretChange,
): Promise<void> {
  for (;;) {
    const before = await lockSetting(tx, id);
    if (before) return change(tx, id, before, value, secret);
    const text = secret?.text ?? null;
    const sealed = text === null ? null : seal(secret?.keys ?? [], text, purposeOf(id));
    if (await insertSetting(tx, id, { value, secret: sealed })) {
      record(
        tx,
        settingCreated({ data: secret ? { id, ...hiddenDetails, value } : { id, ...value } }),
      );
      return;
    }
  }
}

/** Seals secrets of former keys with the first key. Returns their number. Secrets that no key opens stay. */
export async function resealSettings(tx: Tx, keys: Keys): Promise<number> {
  let count = 0;
  for (const { id, value, secret } of await lockSecretSettings(tx)) {
    const open = (withKeys: Keys) => tryUnseal(withKeys, secret, purposeOf(id));
    const text = open(keys);
    if (text === undefined || open(keys.slice(0, 1)) !== undefined) continue;
    await updateSetting(tx, id, { value, secret: seal(keys, text, purposeOf(id)) });
    count += 1;
  }
  return count;
}

/** Resets a setting to its default. */
export async function removeSetting(tx: Tx, id: string): Promise<void> {
  if (await deleteSetting(tx, id)) record(tx, settingDeleted({ data: { id } }));
}
