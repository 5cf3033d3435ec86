import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { listOf } from '../../../platform/contract/query-list.ts';
import { named, yesNo } from '../../../platform/contract/schema.ts';
import { asOfContract } from './as-of/contract.ts';
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
    description: 'Environment, required for an admin token; other tokens have one',
  }),
);

const viewQuery = {
  environment,
  project: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      description: 'Only features of these projects, within the access of the token',
    }),
  ),
  tag: Type.Optional(
    listOf(
      Type.String({
        maxLength: 200,
        pattern: '^[^:]+:.',
        'x-fault': 'must be a type and a value: type:value',
      }),
      { maxItems: 100, description: 'Only features with any of these tags, each as `type:value`' },
    ),
  ),
  namePrefix: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only features whose names begin with this text' }),
  ),
};

const query = Type.Object(viewQuery);

/** The callers of all these endpoints. */
const reader = { tag, permission: 'none', audience: ['client'] } as const;

export const sdkContract = {
  getAllClientFeatures: endpoint({
    ...reader,
    method: 'GET',
    path: '/api/client/features',
    id: 'getAllClientFeatures',
    summary: 'Get all features for a backend SDK',
    description:
      'Returns everything that an SDK needs to evaluate features in the environment of its token. Send the ETag as If-None-Match to get 304 until it changes. SDKs that ' +
      'send Unleash-Client-Spec 4.2.0 or later get segments by reference; others get their constraints inside the strategies. With ' +
      'several instances, an instance may briefly return the previous state after a change on another one.',
    notModified: true,
    query: Type.Object({ ...viewQuery, inlineSegmentConstraints: Type.Optional(yesNo) }),
    response: ClientFeaturesSchema,
  }),

  getClientFeature: endpoint({
    ...reader,
    method: 'GET',
    path: '/api/client/features/:featureName',
    id: 'getClientFeature',
    summary: 'Get a feature for a backend SDK',
    params: Type.Object({ featureName: Type.String() }),
    query: Type.Object({ environment }),
    response: ClientFeatureSchema,
  }),

  getDelta: endpoint({
    ...reader,
    method: 'GET',
    path: '/api/client/delta',
    id: 'getDelta',
    summary: 'Get the changes since an ETag',
    description:
      'Send the ETag of the previous response as If-None-Match. Without it, or if it is too old, the response is one event of type `hydration` with everything. Returns 304 if nothing ' +
      'changed within the access of the token and the query.',
    notModified: true,
    query,
    response: DeltaSchema,
  }),

  getClientStream: endpoint({
    ...reader,
    method: 'GET',
    path: '/api/client/streaming',
    id: 'getClientStream',
    summary: 'Stream changes to a backend SDK',
    description:
      'For `Accept: text/event-stream` (or `*/*`): `unleash-connected` with everything, then `unleash-updated` with ' +
      'each change; after a known `Last-Event-ID`, only later changes. Otherwise: everything, once. SDKs with a ' +
      'version below 5.2.0 in Unleash-Client-Spec cannot read changes; each of their events has everything, in the format of /api/client/features.',
    query,
    response: Type.Union([DeltaSchema, ClientFeaturesSchema]),
    alsoProduces: { 'text/event-stream': 'Server-sent events with the same data as JSON' },
  }),

  getValidTokens: endpoint({
    method: 'POST',
    path: '/edge/validate',
    id: 'getValidTokens',
    secretInResponse: true,
    tag: 'Edge',
    summary: 'Check which of these tokens are valid',
    permission: 'public',
    duringMaintenance: true,
    bodyLimitBytes: 64 * 1024,
    body: named(
      'tokenStringListSchema',
      Type.Object({
        tokens: Type.Array(Type.String({ maxLength: 500, writeOnly: true }), {
          maxItems: 1_000,
          writeOnly: true,
        }),
      }),
    ),
    response: ValidTokensSchema,
  }),
};

export const contract = { ...sdkContract, ...asOfContract };
