import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { listOf } from '../../../platform/contract/query-list.ts';
import { named, yesNo } from '../../../platform/contract/schema.ts';
import {
  ClientFeatureSchema,
  ClientFeaturesSchema,
  DeltaSchema,
  ValidTokensSchema,
} from './schema.ts';

const tag = 'Client';

const environment = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'For an admin token: which environment is meant; others are for one',
  }),
);

const wish = {
  environment,
  project: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      description: 'Features of these projects, of those that the token reaches',
    }),
  ),
  tag: Type.Optional(
    listOf(
      Type.String({
        maxLength: 200,
        pattern: '^[^:]+:.',
        'x-fault': 'must be a type and a value: type:value',
      }),
      { maxItems: 100, description: 'Features with any of these tags, each as `type:value`' },
    ),
  ),
  namePrefix: Type.Optional(
    Type.String({ maxLength: 200, description: 'Features whose names begin like this' }),
  ),
};

const query = Type.Object(wish);

/** Who reads all of this. */
const reader = { tag, permission: 'none', audience: ['client'] } as const;

export const contract = {
  getAllClientFeatures: endpoint({
    ...reader,
    method: 'GET',
    path: '/api/client/features',
    id: 'getAllClientFeatures',
    summary: 'Everything that an SDK evaluates with, in the environment of its token',
    description:
      'With an ETag of what is told: If-None-Match answers 304 until that changes. Segments are told by reference to ' +
      'who sends Unleash-Client-Spec 4.2.0 or later, and with their constraints in the strategies to others. Behind ' +
      'several instances, one may answer for a moment with what was before another told of a change.',
    notModified: true,
    query: Type.Object({ ...wish, inlineSegmentConstraints: Type.Optional(yesNo) }),
    response: ClientFeaturesSchema,
  }),

  getClientFeature: endpoint({
    ...reader,
    method: 'GET',
    path: '/api/client/features/:featureName',
    id: 'getClientFeature',
    summary:
      'One feature as SDKs evaluate it, with the constraints of its segments in its strategies',
    params: Type.Object({ featureName: Type.String() }),
    query: Type.Object({ environment }),
    response: ClientFeatureSchema,
  }),

  getDelta: endpoint({
    ...reader,
    method: 'GET',
    path: '/api/client/delta',
    id: 'getDelta',
    summary: 'What changed since the answer whose ETag is sent in If-None-Match',
    description:
      'Without it, or when that was too long ago: one event of type `hydration`, with everything. 304 when nothing ' +
      'changed that the token reaches and that was asked for.',
    notModified: true,
    query,
    response: DeltaSchema,
  }),

  getClientStream: endpoint({
    ...reader,
    method: 'GET',
    path: '/api/client/streaming',
    id: 'getClientStream',
    summary: 'What changes, as it changes',
    description:
      'For `Accept: text/event-stream` (or `*/*`): `unleash-connected` with everything, then `unleash-updated` with ' +
      'each change; behind a known `Last-Event-ID` only what changed since. To others: everything, once. SDKs that say a ' +
      'version below 5.2.0 in Unleash-Client-Spec cannot read changes: each event of theirs has everything, as /api/client/features tells it.',
    query,
    response: Type.Union([DeltaSchema, ClientFeaturesSchema]),
    alsoProduces: { 'text/event-stream': 'Server-sent events, whose data is the same as JSON' },
  }),

  getValidTokens: endpoint({
    method: 'POST',
    path: '/edge/validate',
    id: 'getValidTokens',
    tag: 'Edge',
    summary: 'Which of these tokens are valid, and what for',
    permission: 'public',
    duringMaintenance: true,
    body: named(
      'tokenStringListSchema',
      Type.Object({
        tokens: Type.Array(Type.String({ maxLength: 500, writeOnly: true }), {
          maxItems: 10_000,
          writeOnly: true,
        }),
      }),
    ),
    response: ValidTokensSchema,
  }),
};
