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

/** What goes with a value that nobody sees. */
export interface SecretPart {
  readonly keys: Keys;
  /** Undefined: the one that is stored stays. Null: it goes. */
  readonly text: string | null | undefined;
}

const purposeOf = (id: string) => `setting ${id}`;

export async function readSetting<Known extends object>(
  db: Db,
  id: string,
): Promise<Known | undefined> {
  const stored = await findSetting(db, id);
  return stored?.value as Known | undefined;
}

/** The value as it is once everybody who is changing it has finished. */
export async function holdSetting<Known extends object>(
  tx: Tx,
  id: string,
): Promise<{ readonly value: Known; readonly hasSecret: boolean } | undefined> {
  const stored = await lockSetting(tx, id);
  return stored && { value: stored.value as Known, hasSecret: stored.secret !== null };
}

export const hasSecret = async (db: Db, id: string): Promise<boolean> =>
  Boolean((await findSetting(db, id))?.secret);

/** The secret of a setting; undefined when it has none. */
export async function readSecret(db: Db, keys: Keys, id: string): Promise<string | undefined> {
  const stored = await findSetting(db, id);
  return stored?.secret ? unseal(keys, stored.secret, purposeOf(id)) : undefined;
}

const changedFields = (before: Value, after: Value): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isDeepStrictEqual(before[key], after[key]),
  );

const hidden = { hideEventDetails: true };

/** The stored secret as it is to be after a change, and whether it says something else then. */
function exchange(id: string, stored: Buffer | null, { keys, text }: SecretPart) {
  if (text === undefined) return { sealed: stored, isOther: false };
  if (text === null) return { sealed: null, isOther: stored !== null };
  const open = (under: Keys) => stored && tryUnseal(under, stored, purposeOf(id));
  if (open(keys.slice(0, 1)) === text) return { sealed: stored, isOther: false };
  // The same, but under a former key, is sealed anew: so an old key can be taken out of use.
  return { sealed: seal(keys, text, purposeOf(id)), isOther: open(keys) !== text };
}

async function change(
  tx: Tx,
  id: string,
  before: StoredSetting,
  value: Value,
  secret: SecretPart | undefined,
): Promise<void> {
  const { sealed, isOther } = secret
    ? exchange(id, before.secret, secret)
    : { sealed: before.secret, isOther: false };
  const fields = changedFields(before.value as Value, value);
  const changed = (isOther ? [...fields, 'secret'] : fields).sort();
  if (changed.length === 0 && sealed === before.secret) return;
  await updateSetting(tx, id, { value, secret: sealed });
  if (changed.length === 0) return;
  record(
    tx,
    secret
      ? settingUpdated({ data: { id, ...hidden, changed }, preData: hidden })
      : settingUpdated({ data: { id, ...value }, preData: before.value as Value }),
  );
}

/**
 * Sets a setting. One with a secret part is recorded without what it says: by the names of the
 * fields that changed.
 */
export async function writeSetting(
  tx: Tx,
  id: string,
  value: Value,
  secret?: SecretPart,
): Promise<void> {
  for (;;) {
    const before = await lockSetting(tx, id);
    if (before) return change(tx, id, before, value, secret);
    const text = secret?.text ?? null;
    const sealed = text === null ? null : seal(secret?.keys ?? [], text, purposeOf(id));
    if (await insertSetting(tx, id, { value, secret: sealed })) {
      record(tx, settingCreated({ data: secret ? { id, ...hidden } : { id, ...value } }));
      return;
    }
  }
}

/** Seals anew what was sealed under another key than the first; says how many. What none opens stays. */
export async function resealSettings(tx: Tx, keys: Keys): Promise<number> {
  let count = 0;
  for (const { id, value, secret } of await lockSecretSettings(tx)) {
    const open = (under: Keys) => tryUnseal(under, secret, purposeOf(id));
    const text = open(keys);
    if (text === undefined || open(keys.slice(0, 1)) !== undefined) continue;
    await updateSetting(tx, id, { value, secret: seal(keys, text, purposeOf(id)) });
    count += 1;
  }
  return count;
}

/** Back to what holds where nobody set anything. */
export async function removeSetting(tx: Tx, id: string): Promise<void> {
  if (await deleteSetting(tx, id)) record(tx, settingDeleted({ data: { id } }));
}
