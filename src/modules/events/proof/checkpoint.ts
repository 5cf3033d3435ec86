import type { Db } from '../../../platform/db/database.ts';
import type { Checkpoint } from './checkpoint-contract.ts';
import { getHead } from './queries.ts';
import type { Signer } from './signing.ts';

/** The signed text. It consists of lines, so that any tool can produce it. */
export const signedText = ({
  lastId,
  hash,
  createdAt,
}: Pick<Checkpoint, 'lastId' | 'hash' | 'createdAt'>) =>
  `burgee-checkpoint-1\n${lastId}\n${hash}\n${createdAt}`;

export async function makeCheckpoint(db: Db, signer: Signer, now: Date): Promise<Checkpoint> {
  const { keyId, publicKey, sign } = signer;
  const end = { ...(await getHead(db)), createdAt: now.toISOString() };
  return { ...end, keyId, publicKey, signature: sign(signedText(end)) };
}
