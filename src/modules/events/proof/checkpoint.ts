import type { Db } from '../../../platform/db/database.ts';
import type { Checkpoint } from './checkpoint-contract.ts';
import { getRange } from './queries.ts';
import type { Signer } from './signing.ts';

export const checkpointFormat = 'burgee-checkpoint-2';

/** A checkpoint by a version that did not sign where the log began, or where the key was. */
type FirstCheckpoint = Pick<
  Checkpoint,
  'lastId' | 'hash' | 'createdAt' | 'keyId' | 'publicKey' | 'signature'
>;

export type AnyCheckpoint = FirstCheckpoint | Checkpoint;

type UnsignedCheckpoint = Omit<Checkpoint, 'keyId' | 'publicKey' | 'signature'>;

/** The signed text. It consists of lines, so that any tool can produce it. */
export const signedText = (checkpoint: AnyCheckpoint | UnsignedCheckpoint): string => {
  const { lastId, hash, createdAt } = checkpoint;
  if (!('format' in checkpoint)) return `burgee-checkpoint-1\n${lastId}\n${hash}\n${createdAt}`;
  const { format, anchorId, anchorHash, keyIn } = checkpoint;
  return [format, lastId, hash, createdAt, anchorId, anchorHash, keyIn].join('\n');
};

export async function makeCheckpoint(db: Db, signer: Signer, now: Date): Promise<Checkpoint> {
  const { keyId, keyIn, publicKey, sign } = signer;
  const { lastId, hash, anchorId, anchorHash } = await getRange(db);
  const unsigned: UnsignedCheckpoint = {
    format: checkpointFormat,
    lastId,
    hash,
    createdAt: now.toISOString(),
    anchorId,
    anchorHash,
    keyIn,
  };
  return { ...unsigned, keyId, publicKey, signature: sign(signedText(unsigned)) };
}
