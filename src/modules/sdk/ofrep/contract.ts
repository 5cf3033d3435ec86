import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../platform/contract/endpoint.ts';
import { contextSchema } from '../frontend-api/context-schema.ts';

const tag = 'OpenFeature';

const context = contextSchema({ targetingKey: 'The same as userId, where there is none' });

const AskedSchema = withDefault(Type.Object({ context: Type.Optional(context) }), {});

const FlagSchema = Type.Object({
  key: Type.String(),
  value: Type.Optional(
    Type.Unknown({
      description:
        'Whether the feature is on; where variants have payloads, that of the variant instead (json and number as ' +
        'such, all else as text; its name where it alone has none), left out where there is no variant: the default in the code counts. Providers ' +
        'that do not know this yet come to the same value, and call the reason ERROR',
    }),
  ),
  variant: Type.Optional(Type.String({ description: 'Left out where there is none' })),
  reason: Type.String({
    description:
      'STATIC, TARGETING_MATCH, SPLIT; DEFAULT: on, but not for this context; DISABLED: off',
  }),
  metadata: Type.Object({
    enabled: Type.Boolean({ description: 'Whether the feature is on, variants or not' }),
    impressionData: Type.Boolean(),
    payloadType: Type.Optional(Type.String()),
  }),
});

const description =
  'OpenFeature Remote Evaluation Protocol. What is no field of the context is a property of it. Errors have ' +
  'errorCode and errorDetails, beside what errors have everywhere.';

export const contract = {
  evaluateFlag: endpoint({
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags/:key',
    id: 'evaluateFlag',
    tag,
    summary: 'What is decided of one feature',
    description: `${description} It counts as usage of the feature, by the appName of the context or else by 'ofrep'.`,
    permission: 'none',
    audience: ['client', 'frontend'],
    duringMaintenance: true,
    params: Type.Object({ key: Type.String() }),
    body: AskedSchema,
    response: FlagSchema,
  }),

  evaluateFlags: endpoint({
    method: 'POST',
    path: '/ofrep/v1/evaluate/flags',
    id: 'evaluateFlags',
    tag,
    summary: 'What is decided of every feature',
    description: `${description} The ETag stands for the answer: whoever sends it as If-None-Match gets 304 while nothing is decided otherwise. It does not count as usage: nobody knows which of them are used.`,
    permission: 'none',
    audience: ['client', 'frontend'],
    duringMaintenance: true,
    body: AskedSchema,
    response: Type.Object({ flags: Type.Array(FlagSchema) }),
    notModified: true,
  }),
};
