import { type Static, type TSchema, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';

/** Longer than any name that something here has. */
export const maxName = 255;

const tag = 'Client';

const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: maxName, description });
const perhaps = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: maxName, description })));

/** SDKs write instants as text or as milliseconds, and lengths of time as either. */
const textOrNumber = (description: string) =>
  Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: 64, description });

/** Sums of these stay far below what the database can hold. */
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
      ...counted(count, 1_000, 'How often each variant was given'),
      type: ['object', 'null'],
    }),
  ),
};

const environment = perhaps(
  'Only for an admin token: the others report for the environment that they are made for',
);

/** What a program that evaluates tells when it starts. */
export const RegistrationSchema = named(
  'clientApplicationSchema',
  Type.Object({
    appName: name('Under which the program is known'),
    instanceId: perhaps('Which of its instances this is'),
    sdkVersion: perhaps('`name:version` of the SDK'),
    sdkType: perhaps('frontend or backend'),
    specVersion: perhaps('The version of the client specification that the SDK keeps to'),
    environment,
    strategies: Type.Optional(
      nullable(
        Type.Array(Type.String({ maxLength: maxName }), {
          maxItems: 500,
          description: 'The strategies that it knows',
        }),
      ),
    ),
    started: Type.Optional(textOrNumber('Since when it runs')),
    interval: Type.Optional(textOrNumber('Milliseconds between two reports')),
  }),
);
export type ClientRegistration = Static<typeof RegistrationSchema>;

/** How often each feature was asked for, in one stretch of time. */
export const ClientMetricsSchema = named(
  'clientMetricsSchema',
  Type.Object({
    appName: name('Under which the program is known'),
    instanceId: perhaps('Which of its instances this is'),
    environment,
    bucket: Type.Optional(
      nullable(
        Type.Object({
          start: textOrNumber('Since when it was counted'),
          stop: textOrNumber('Until when; this decides in which hour it counts'),
          toggles: counted(Type.Object(counts), 10_000, 'Counts, by the name of the feature'),
        }),
      ),
    ),
  }),
);
export type ClientMetrics = Static<typeof ClientMetricsSchema>;

/** One feature in one hour, as a proxy between SDKs and the server adds it up. */
const CountedHourSchema = Type.Object({
  featureName: name('The feature that was asked for'),
  appName: name('By whom'),
  environment: perhaps('What is of another environment than that of the token is left out'),
  timestamp: Type.Optional(textOrNumber('The hour; left out: this one')),
  ...counts,
});
export type CountedHour = Static<typeof CountedHourSchema>;

const BulkSchema = named(
  'bulkMetricsSchema',
  Type.Object({
    applications: withDefault(Type.Array(RegistrationSchema, { maxItems: 5_000 }), []),
    metrics: withDefault(Type.Array(CountedHourSchema, { maxItems: 10_000 }), []),
  }),
);

/** A proxy between SDKs and the server; those behind it tell it of themselves. */
interface EdgeInstance {
  readonly identifier: string;
  readonly appName: string;
  readonly edgeVersion: string;
  readonly started?: string | number;
  readonly connectedEdges?: readonly EdgeInstance[];
}

const edgeShape = {
  identifier: name('Of the process: another one after each start'),
  appName: name('Under which the proxy is known'),
  edgeVersion: Type.String({ maxLength: 100, description: 'The version of the proxy' }),
  started: Type.Optional(textOrNumber('Since when it runs')),
};

/** Deeper than anybody puts one proxy behind the other. */
const edgeDepth = 5;

const edgeAt = (depth: number): TSchema =>
  Type.Object({
    ...edgeShape,
    ...(depth < edgeDepth && {
      connectedEdges: Type.Optional(
        Type.Array(edgeAt(depth + 1), {
          maxItems: 200,
          description: 'Proxies that have this one as their server',
        }),
      ),
    }),
  });

const EdgeSchema = Type.Unsafe<EdgeInstance>(edgeAt(1));

/** A proxy and all behind it, each as an application that runs. */
export function edgesIn(edge: EdgeInstance): ClientRegistration[] {
  const { identifier, appName, edgeVersion, started, connectedEdges = [] } = edge;
  const own: ClientRegistration = {
    appName,
    instanceId: identifier,
    sdkVersion: `unleash-edge:${edgeVersion}`,
    ...(started !== undefined && { started }),
  };
  return [own, ...connectedEdges.flatMap(edgesIn)];
}

export const reportContract = {
  register: endpoint({
    method: 'POST',
    path: '/api/client/register',
    id: 'registerClientApplication',
    tag,
    summary: 'Tell that an instance of an application runs',
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
    summary: 'Tell how often each feature was asked for',
    description:
      'Taken at once and stored within about a second. What is not of a project that the token reaches is left out. ' +
      '503 when too much waits to be stored: nothing of the request was counted, and it can be sent again.',
    permission: 'none',
    audience: ['client'],
    duringMaintenance: true,
    body: ClientMetricsSchema,
    status: 202,
  }),

  tellOfEdge: endpoint({
    method: 'POST',
    path: '/api/client/metrics/edge',
    id: 'clientEdgeMetrics',
    tag: 'Edge',
    summary: 'Tell that an instance of Edge runs, and which others stand behind it',
    description:
      'Each is an application, with its instances and version. Its latencies and the figures of its process are not kept: ' +
      'Edge offers them to Prometheus itself.',
    permission: 'none',
    audience: ['client'],
    duringMaintenance: true,
    body: EdgeSchema,
    status: 202,
  }),

  addInBulk: endpoint({
    method: 'POST',
    path: '/api/client/metrics/bulk',
    id: 'clientBulkMetrics',
    tag,
    summary:
      'Both for many applications at once, as a proxy between SDKs and the server knows them',
    permission: 'none',
    audience: ['client'],
    duringMaintenance: true,
    body: BulkSchema,
    status: 202,
  }),
};
