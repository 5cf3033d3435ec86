import { type Static, type TSchema, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';

/** Longer than any name in Burgee. */
export const maxName = 255;

const tag = 'Client';

const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: maxName, description });
const perhaps = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: maxName, description })));

/** SDKs send instants as text or as milliseconds, and durations as either. */
const textOrNumber = (description: string) =>
  Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: 64, description });

/** Sums of these stay far below the limits of the database. */
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 });

const counted = <S extends TSchema>(values: S, maxProperties: number, description: string) =>
  Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: values,
    maxProperties,
    description,
  });

const counts = {
  yes: Type.Optional(nullable(count)),
  no: Type.Optional(nullable(count)),
  variants: Type.Optional(
    Type.Unsafe<Record<string, number> | null>({
      ...counted(count, 1_000, 'Count by variant'),
      type: ['object', 'null'],
    }),
  ),
};

const environment = perhaps(
  'Only for an admin token; other tokens report for their own environment',
);

const batchId = Type.Optional(
  Type.String({
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    'x-fault': 'must be a UUID',
    description:
      'UUID of this report. A report whose ID was counted within the last seven days is accepted and not counted again, so it ' +
      'can be repeated if the response was lost. Ignored with a frontend token',
  }),
);

/** What an SDK sends when it starts. */
export const RegistrationSchema = named(
  'clientApplicationSchema',
  Type.Object({
    appName: name('Name of the application'),
    instanceId: perhaps('ID of the instance'),
    sdkVersion: perhaps('`name:version` of the SDK'),
    sdkType: perhaps('frontend or backend'),
    specVersion: perhaps('Version of the client specification that the SDK supports'),
    environment,
    strategies: Type.Optional(
      nullable(
        Type.Array(Type.String({ maxLength: maxName }), {
          maxItems: 500,
          description: 'Strategies that the SDK supports',
        }),
      ),
    ),
    started: Type.Optional(textOrNumber('Start time of the instance')),
    interval: Type.Optional(textOrNumber('Milliseconds between two reports')),
  }),
);
export type ClientRegistration = Static<typeof RegistrationSchema>;

/** The evaluations of each feature in a period of time. */
export const ClientMetricsSchema = named(
  'clientMetricsSchema',
  Type.Object({
    batchId,
    appName: name('Name of the application'),
    instanceId: perhaps('ID of the instance'),
    environment,
    bucket: Type.Optional(
      nullable(
        Type.Object({
          start: textOrNumber('Start of the counting period'),
          stop: textOrNumber('End of the counting period; decides to which hour it counts'),
          toggles: counted(Type.Object(counts), 10_000, 'Counts by feature name'),
        }),
      ),
    ),
  }),
);
export type ClientMetrics = Static<typeof ClientMetricsSchema>;

/** One feature in one hour, aggregated by a proxy. */
const CountedHourSchema = Type.Object({
  featureName: name('Name of the feature'),
  appName: name('Name of the application'),
  environment: perhaps("Metrics of another environment than the token's are ignored"),
  timestamp: Type.Optional(textOrNumber('The hour; default: the current one')),
  ...counts,
});
export type CountedHour = Static<typeof CountedHourSchema>;

const BulkSchema = named(
  'bulkMetricsSchema',
  Type.Object({
    batchId,
    isPublic: Type.Optional(
      Type.Boolean({
        description:
          'Whether this was reported with public tokens, such as those of browsers. Then fewer unknown flags are stored',
      }),
    ),
    applications: withDefault(Type.Array(RegistrationSchema, { maxItems: 5_000 }), []),
    metrics: withDefault(Type.Array(CountedHourSchema, { maxItems: 10_000 }), []),
  }),
);

export const reportContract = {
  register: endpoint({
    method: 'POST',
    path: '/api/client/register',
    id: 'registerClientApplication',
    tag,
    summary: 'Register an instance of an application',
    permission: 'none',
    audience: ['client'],
    duringMaintenance: true,
    body: RegistrationSchema,
    status: 202,
  }),

  addMetrics: endpoint({
    method: 'POST',
    path: '/api/client/metrics',
    id: 'registerClientMetrics',
    tag,
    summary: 'Report feature usage',
    description:
      'The report is accepted at once and stored within about a second. Features outside the access of the token are ignored. ' +
      'Returns 503 if too many reports wait to be stored; nothing was counted, so send the request again. ' +
      'With a `batchId`, the response is sent when the report is stored.',
    permission: 'none',
    audience: ['client'],
    duringMaintenance: true,
    body: ClientMetricsSchema,
    status: 202,
  }),

  addInBulk: endpoint({
    method: 'POST',
    path: '/api/client/metrics/bulk',
    id: 'clientBulkMetrics',
    tag,
    summary: 'Report registrations and usage of many applications',
    description:
      'With a `batchId`, the response is sent when the report is stored. After 503 or no response, repeat it with the same ID.',
    permission: 'none',
    audience: ['client'],
    duringMaintenance: true,
    body: BulkSchema,
    status: 202,
  }),
};
