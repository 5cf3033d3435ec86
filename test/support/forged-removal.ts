import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { transactOn } from '../../src/app/transact.ts';
import { systemActor } from '../../src/modules/access/gate/index.ts';
import { oldEventsRemoved, signingKeyChanged } from '../../src/modules/events/events.ts';
import type { Checkpoint } from '../../src/modules/events/index.ts';
import type { JsonObject } from '../../src/modules/events/proof/canonical.ts';
import { listSigningKeys } from '../../src/modules/events/proof/queries.ts';
import { removalText } from '../../src/modules/events/proof/removals.ts';
import { keyIdOf } from '../../src/modules/events/proof/signed-by.ts';
import { record } from '../../src/modules/events/record/record.ts';
import type { Database } from '../../src/platform/db/database.ts';

interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** Runs statements as the owner, without the triggers of the log. */
export const asOwner = (db: Kysely<Database>, statements: readonly ReturnType<typeof sql>[]) =>
  db.transaction().execute(async (tx) => {
    await sql`alter table events disable trigger user`.execute(tx);
    for (const statement of statements) await statement.execute(tx);
    await sql`alter table events enable trigger user`.execute(tx);
  });

/** Removes everything up to the checkpoint and records it like retention does, with a forged or missing signature. */
export async function pretendRetention(
  db: Kysely<Database>,
  { lastId, hash, keyId: current }: Checkpoint,
  key: SigningKey | undefined,
): Promise<void> {
  await asOwner(db, [
    sql`delete from events`,
    sql`delete from event_texts`,
    sql`delete from event_side_texts`,
    sql`delete from event_days`,
    sql`update event_log set anchor_id = ${lastId}, anchor_hash = decode(${hash}, 'hex')`,
  ]);
  const keyIds = (await listSigningKeys(db)).map(({ id }) => id);
  await transactOn(db)(systemActor, async (tx) => {
    const removal = {
      id: 'events.retention',
      removedThrough: lastId,
      hash,
      removedUntil: new Date(Date.now() - 90 * 86_400_000).toISOString(),
      days: 30,
      keyIds,
      ...(key && { keyId: key.id }),
    };
    const text = Buffer.from(removalText(removal as unknown as JsonObject));
    const signature = key && sign(null, text, key.privateKey).toString('base64');
    record(tx, oldEventsRemoved({ data: { ...removal, ...(key && { signature }) } as never }));
    // The keys must match the newest event about them.
    record(tx, signingKeyChanged({ data: { id: 'events.signing-key', keyId: current, keyIds } }));
  });
}

/** Adds a foreign key to those of the installation. */
export async function addKey(db: Kysely<Database>): Promise<SigningKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await sql`
    insert into signing_keys (id, public_key, created_at, retired_at)
    values (${keyIdOf(publicKey)}, ${pem}, now(), now())`.execute(db);
  return { id: keyIdOf(publicKey), privateKey };
}

/** The private key in the database. */
export async function stolenKey(db: Kysely<Database>): Promise<SigningKey> {
  const { rows } = await sql<{ id: string; pem: string }>`
    select id, private_key as pem from signing_keys where private_key is not null`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('The key is not in the database');
  return { id: found.id, privateKey: createPrivateKey(found.pem) };
}
