import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { oneOf } from '../../../platform/contract/schema.ts';

const CheckpointSchema = Type.Object({
  format: oneOf(['burgee-checkpoint-2'], 'First line of the signed text'),
  lastId: Type.Integer({ description: 'Id of the newest event' }),
  hash: Type.String({
    description: 'Hash of that event, in hexadecimal; it covers all earlier events',
  }),
  createdAt: Type.String({ format: 'date-time' }),
  anchorId: Type.Integer({
    description:
      'Id of the last event that retention has removed, 0 if none; the log begins after it',
  }),
  anchorHash: Type.String({ description: 'Hash of that event, in hexadecimal' }),
  keyIn: oneOf(
    ['database', 'file'],
    'Where the private key is: a key in the database is available to everyone who can read it',
  ),
  keyId: Type.String({ description: 'Id of the key that signed' }),
  publicKey: Type.String({ description: 'Public key as PEM' }),
  signature: Type.String({
    description:
      'Base64 of the Ed25519 signature over the lines format, lastId, hash, createdAt, anchorId, anchorHash, keyIn',
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
    summary: 'Get a signed checkpoint of the event log',
    description:
      'Store the response outside this installation. With it, `burgee verify --checkpoint` proves that no event up to lastId has changed and that the newest events are still there.',
    permission: 'ADMIN',
    response: CheckpointSchema,
  }),

  getEventCheckpointKeys: endpoint({
    method: 'GET',
    path: '/api/admin/events/checkpoint/keys',
    id: 'getEventCheckpointKeys',
    tag: 'Events',
    summary: 'List all current and former checkpoint keys',
    permission: 'ADMIN',
    response: Type.Object({ keys: Type.Array(KeySchema) }),
  }),
};
