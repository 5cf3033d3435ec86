import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';

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
