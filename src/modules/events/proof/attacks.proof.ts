import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  aged,
  codes,
  dayMs,
  fillLater,
  install,
  later,
  newPem,
  removeNow,
  tamper,
  verify,
} from '../../../../test/support/attacked-log.ts';
import { addKey, pretendRetention, stolenKey } from '../../../../test/support/forged-removal.ts';
import { transactOn } from '../../../app/transact.ts';
import { systemActor } from '../../access/gate/index.ts';
import { makeCheckpoint, signedText } from './checkpoint.ts';
import { listSigningKeys } from './queries.ts';
import { findSigner, prepareSigningKey, rotateSigningKey, type Signer } from './signing.ts';

describe('retention removes nothing', () => {
  test('if the log returns different hashes to different statements', async () => {
    const own = await install('file');
    await fillLater(own.db);
    await tamper(
      own.db,
      sql`alter table events rename to true_events`,
      sql`create view events as select id, created_at, type, created_by, created_by_user_id, project, environment,
          feature_name, data, pre_data, tags, label, summary, ip, request_id, actor_seal, subject_keys, subject_seal,
          case when current_query() like '%dataText%' then hash else sha256(hash) end as hash
        from true_events`,
    );
    const eventId = own.made.lastId;
    expect(await removeNow(own, 30, later)).toMatchObject({ kind: 'altered', eventId });
  });
});

describe('a forged removal of everything up to the checkpoint', () => {
  test('is doubtful if signed with an added key while the real one is in a file', async () => {
    const own = await install('file');
    await pretendRetention(own.db, own.made, await addKey(own.db));
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
  });

  test('is doubtful if signed with an added key, even after a real removal', async () => {
    const own = await install('file');
    await pretendRetention(own.db, own.made, await addKey(own.db));
    await fillLater(own.db);
    expect(await removeNow(own, 30, later)).toBe(true);
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
  });
});

test('a key copied from the database before a key file replaced it cannot sign later removals', async () => {
  const own = await install('database');
  const stolen = await stolenKey(own.db);
  const keyFile = join(own.folder, 'took-over.pem');
  writeFileSync(keyFile, newPem());
  await transactOn(own.db)(systemActor, (tx) => prepareSigningKey(tx, keyFile));
  const signer = (await findSigner(own.db, keyFile)) as Signer;
  const made = await makeCheckpoint(own.db, signer, new Date());
  writeFileSync(own.checkpoint, JSON.stringify(made));
  writeFileSync(own.keys, JSON.stringify({ keys: await listSigningKeys(own.db) }));
  await pretendRetention(own.db, made, stolen);
  expect(await codes(own)).toEqual([2, 2, 2, 2]);
  await fillLater(own.db);
  expect(await removeNow({ ...own, signingKeyFile: keyFile }, 30, later)).toBe(true);
  expect(await codes(own)).toEqual([2, 2, 2, 2]);
});

describe('a real removal by retention', () => {
  test('is doubtful with a key in the database until the checkpoint is older than the retention', async () => {
    const own = await aged('database');
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
    const newer = await makeCheckpoint(own.db, own.signer, new Date(later));
    writeFileSync(own.checkpoint, JSON.stringify(newer));
    expect(await codes(own)).toEqual([0, 0, 0, 0]);
    const createdAt = new Date(Date.now() - 31 * dayMs).toISOString();
    const { signature: _signature, ...unsigned } = { ...own.made, createdAt };
    const signature = own.signer.sign(signedText(unsigned));
    writeFileSync(own.checkpoint, JSON.stringify({ ...unsigned, signature }));
    expect(await codes(own)).toEqual([0, 0, 0, 0]);
  });

  test('is doubtful with a checkpoint of an older version, which does not contain the beginning of the log', async () => {
    const own = await aged('file');
    const { lastId, hash, createdAt, keyId, publicKey } = own.made;
    const signature = own.signer.sign(`burgee-checkpoint-1\n${lastId}\n${hash}\n${createdAt}`);
    const first = { lastId, hash, createdAt, keyId, publicKey, signature };
    writeFileSync(own.checkpoint, JSON.stringify(first));
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
    const { said } = await verify(own.connection, ['--checkpoint', own.checkpoint], 30);
    expect(said).toContain('the checkpoint is of an older version');
  });

  test('after a key rotation, requires a copy of the keys to confirm an old checkpoint', async () => {
    const own = await install('database');
    const rotate = { file: undefined, toDatabase: false };
    await transactOn(own.db)(systemActor, (tx) => rotateSigningKey(tx, rotate));
    await fillLater(own.db);
    expect(await removeNow(own, 30, later)).toBe(true);
    const { said } = await verify(own.connection, ['--checkpoint', own.checkpoint], 30);
    expect(said).toMatch(/not with the key \w+ of the checkpoint: pass your own copy of the keys/);
    // Both keys are stored, so without a checkpoint nothing is doubtful.
    expect(await verify(own.connection, [], 30)).toMatchObject({ code: 0 });
  });
});

test('a checkpoint with a modified anchor has an invalid signature', async () => {
  const own = await install('file');
  for (const change of [{ anchorId: 2 }, { anchorHash: 'ab'.repeat(32) }, { keyIn: 'database' }]) {
    writeFileSync(own.checkpoint, JSON.stringify({ ...own.made, ...change }));
    expect(await codes(own)).toEqual([1, 1, 1, 1]);
  }
});
