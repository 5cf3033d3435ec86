import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Db } from '../../../platform/db/database.ts';
import { endpoint, nullable, route } from '../../../platform/http/endpoint.ts';
import type { Services } from '../../../platform/module.ts';
import { findSigner, listSigningKeys, prepareSigningKey, type Signer } from './signing.ts';

const CheckpointSchema = Type.Object({
  lastId: Type.Integer({ description: 'Id of the newest event' }),
  hash: Type.String({ description: 'Hash of that event, in hex: it covers every event before' }),
  createdAt: Type.String({ format: 'date-time' }),
  keyId: Type.String({ description: 'Which of the keys signed' }),
  publicKey: Type.String({ description: 'That key, as PEM' }),
  signature: Type.String({
    description:
      'Base64 of the Ed25519 signature over the lines burgee-checkpoint-1, lastId, hash, createdAt',
  }),
});

export type Checkpoint = Static<typeof CheckpointSchema>;

const KeySchema = Type.Object({
  id: Type.String(),
  publicKey: Type.String({ description: 'PEM' }),
  createdAt: Type.String({ format: 'date-time' }),
  retiredAt: nullable(Type.String({ format: 'date-time' })),
});

export const checkpointContract = {
  getEventCheckpoint: endpoint({
    method: 'GET',
    path: '/api/admin/events/checkpoint',
    id: 'getEventCheckpoint',
    tag: 'Events',
    summary: 'The end of the event log, signed',
    description:
      'Keep the answer outside this installation: `burgee verify --checkpoint` proves with it that no event up to lastId was changed since, and that the newest ones are still there.',
    permission: 'ADMIN',
    response: CheckpointSchema,
  }),
  getEventCheckpointKeys: endpoint({
    method: 'GET',
    path: '/api/admin/events/checkpoint/keys',
    id: 'getEventCheckpointKeys',
    tag: 'Events',
    summary: 'The public keys that sign checkpoints, or once did',
    permission: 'ADMIN',
    response: Type.Object({ keys: Type.Array(KeySchema) }),
  }),
};

/** What is signed: lines of text, so that any tool can make them. */
export const signedText = ({
  lastId,
  hash,
  createdAt,
}: Pick<Checkpoint, 'lastId' | 'hash' | 'createdAt'>) =>
  `burgee-checkpoint-1\n${lastId}\n${hash}\n${createdAt}`;

/** The newest event; of an empty log, the anchor. */
const getHead = async (db: Db): Promise<{ lastId: number; hash: string }> => {
  const { rows } = await sql<{ lastId: number; hash: string }>`
    select coalesce(head.id, log.anchor_id) as "lastId",
           encode(coalesce(head.hash, log.anchor_hash), 'hex') as hash
    from event_log log
    left join lateral (select id, hash from events order by id desc limit 1) head on true`.execute(
    db,
  );
  return rows[0] as { lastId: number; hash: string };
};

export async function makeCheckpoint(db: Db, signer: Signer, now: Date): Promise<Checkpoint> {
  const { keyId, publicKey, sign } = signer;
  const end = { ...(await getHead(db)), createdAt: now.toISOString() };
  return { ...end, keyId, publicKey, signature: sign(signedText(end)) };
}

export function checkpointRoutes(
  app: FastifyInstance,
  { db, transact, clock, settings: { signingKeyFile } }: Services,
): void {
  route(app, checkpointContract.getEventCheckpoint, async (_input, { actor }) => {
    let signer = await findSigner(db, signingKeyFile);
    if (!signer) {
      await transact(actor, (tx) => prepareSigningKey(tx, signingKeyFile));
      signer = await findSigner(db, signingKeyFile);
    }
    return makeCheckpoint(db, signer as Signer, clock());
  });

  route(app, checkpointContract.getEventCheckpointKeys, async () => ({
    keys: (await listSigningKeys(db)).map(({ createdAt, retiredAt, ...key }) => ({
      ...key,
      createdAt: createdAt.toISOString(),
      retiredAt: retiredAt?.toISOString() ?? null,
    })),
  }));
}
