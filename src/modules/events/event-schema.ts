import { Type } from 'typebox';
import { nullable } from '../../platform/contract/endpoint.ts';
import { named } from '../../platform/contract/schema.ts';
import { eventTypes } from './event-types-schema.ts';

const TagSchema = Type.Object({
  value: Type.String({ minLength: 2, maxLength: 50 }),
  type: Type.String({ minLength: 2, maxLength: 50 }),
});

const Payload = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
});

export const EventSchema = named(
  'eventSchema',
  Type.Object({
    id: Type.Integer({
      minimum: 1,
      description: 'Increases in commit order, without gaps',
    }),
    createdAt: Type.String({ format: 'date-time' }),
    type: Type.Unsafe<(typeof eventTypes)[number]>({ type: 'string', enum: [...eventTypes] }),
    createdBy: Type.String({ description: 'Name of the actor' }),
    createdByUserId: nullable(
      Type.Number({ description: 'Positive for accounts, negative for tokens' }),
    ),
    environment: nullable(Type.String()),
    project: nullable(Type.String()),
    featureName: nullable(Type.String()),
    data: Payload,
    preData: Payload,
    tags: Type.Array(TagSchema),
    label: nullable(Type.String({ description: 'Short name of the event type' })),
    summary: nullable(Type.String({ description: 'One sentence in Markdown; links are relative' })),
    ip: nullable(Type.String({ description: 'IP address of the actor; only for admins' })),
    hash: Type.String({
      description: 'SHA-256 of this event and the previous hash, in hexadecimal',
    }),
  }),
);
