import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../platform/contract/endpoint.ts';
import { contextSchema } from '../frontend-api/context-schema.ts';

const tag = 'OpenFeature';

const context = contextSchema({ targetingKey: 'The userId, if userId is omitted' });

const AskedSchema = withDefault(Type.Object({ context: Type.Optional(context) }), {});

const FlagSchema = Type.Object({
  key: Type.String(),
  value: Type.Optional(
    Type.Unknown({
      description:
        'Whether the feature is enabled. If variants have payloads: the payload of the chosen variant (json and number as ' +
        'such, anything else as a string; the name of the variant if it has no payload). Omitted if no variant was chosen, so that the default in the code applies; older providers ' +
        'return the same default with the reason ERROR',
    }),
  ),
  variant: Type.Optional(Type.String({ description: 'Omitted if there is none' })),
  reason: Type.String({
    description:
      'STATIC, TARGETING_MATCH, SPLIT; DEFAULT: enabled, but not for this context; DISABLED: disabled',
  }),
  metadata: Type.Object({
    enabled: Type.Boolean({
      description: 'Whether the feature is enabled, with or without variants',
    }),
    impressionData: Type.Boolean(),
    payloadType: Type.Optional(Type.String()),
  }),
});

const description =
  'OpenFeature Remote Evaluation Protocol. Unknown fields of the context are properties. Errors have ' +
  'errorCode and errorDetails in addition to the usual properties.';

export const contract = {
  evaluateFlag: endpoint({
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags/:key',
    id: 'evaluateFlag',
    tag,
    summary: 'Evaluate a feature (OFREP)',
    description: `${description} Counts as usage of the feature by the appName of the context, or by 'ofrep' without one.`,
    permission: 'none',
    audience: ['client', 'frontend'],
    duringMaintenance: true,
    params: Type.Object({ key: Type.String() }),
    bodyLimitBytes: 64 * 1024,
    body: AskedSchema,
    response: FlagSchema,
  }),

  evaluateFlags: endpoint({
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags',
    id: 'evaluateFlags',
    tag,
    summary: 'Evaluate all features (OFREP)',
    description: `${description} Send the ETag as If-None-Match to get 304 while the result is the same. Does not count as usage, because it is unknown which features are used.`,
    permission: 'none',
    audience: ['client', 'frontend'],
    duringMaintenance: true,
    bodyLimitBytes: 64 * 1024,
    body: AskedSchema,
    response: Type.Object({ flags: Type.Array(FlagSchema) }),
    notModified: true,
  }),
};
