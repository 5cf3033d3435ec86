import { type Static, type TSchema, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../platform/contract/schema.ts';

const tag = 'Edge';

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

/** Edges send null for what they cannot compute yet. */
const numberOrNull = (description: string) => Type.Optional(nullable(Type.Number({ description })));

const durations = Type.Optional(
  nullable(
    Type.Object({
      avg: numberOrNull('Average in milliseconds'),
      p99: numberOrNull('99th percentile in milliseconds'),
    }),
  ),
);

const reportShape = {
  identifier: text(255, 'ID of the process; new after each start'),
  instanceId: Type.Optional(
    nullable(
      Type.String({ maxLength: 255, description: 'ID that stays the same after a restart' }),
    ),
  ),
  appName: text(255, 'Name of the edge'),
  region: Type.Optional(
    nullable(Type.String({ maxLength: 255, description: 'Where the edge runs' })),
  ),
  edgeVersion: Type.String({ maxLength: 100, description: 'Version of the edge' }),
  started: Type.Optional(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      maxLength: 64,
      description: 'Start time of the process',
    }),
  ),
  stateAgeSeconds: numberOrNull(
    'Seconds since the state of the edge was last known to be current; only edges of Burgee send it',
  ),
  connectedStreamingClients: numberOrNull('Open streams to clients'),
  processMetrics: Type.Optional(
    nullable(Type.Object({ memoryUsage: numberOrNull('Memory of the process in bytes') })),
  ),
  latencyUpstream: Type.Optional(
    nullable(
      Type.Object(
        { features: durations, metrics: durations },
        { description: 'Response times of its upstream' },
      ),
    ),
  ),
  traffic: Type.Optional(
    nullable(
      Type.Object(
        {
          requestsSinceLastReport: Type.Optional(
            Type.Unsafe<unknown>({ description: 'Counts of requests by path, and by status' }),
          ),
        },
        { description: 'Requests of its clients' },
      ),
    ),
  ),
};

const OwnReportSchema = Type.Object(reportShape);

/** What an edge tells about itself and about the edges behind it. */
export type EdgeReport = Static<typeof OwnReportSchema> & {
  readonly connectedEdges?: readonly EdgeReport[] | null;
};

/** Deeper than edges are chained in practice. */
const depthMost = 5;

const reportAt = (depth: number): TSchema =>
  Type.Object({
    ...reportShape,
    ...(depth < depthMost && {
      connectedEdges: Type.Optional(
        Type.Unsafe({
          ...Type.Array(reportAt(depth + 1), {
            maxItems: 200,
            description: 'Edges whose upstream is this edge',
          }),
          type: ['array', 'null'],
        }),
      ),
    }),
  });

const EdgeReportSchema = Type.Unsafe<EdgeReport>(reportAt(1));

const perhaps = (description: string) => nullable(Type.String({ description }));
const numeric = (description: string) => nullable(Type.Number({ description }));

const EdgeSchema = Type.Object({
  identifier: Type.String({ description: 'ID of the process; new after each start' }),
  instanceId: perhaps('ID that stays the same after a restart'),
  parent: perhaps('Identifier of the edge that is its upstream; null if that is this installation'),
  appName: Type.String(),
  version: Type.String(),
  region: perhaps('Where it runs'),
  environment: perhaps('Environment of the token with which it was reported'),
  startedAt: Type.Unsafe<string | null>({ ...nullable(Type.String()), format: 'date-time' }),
  reportedAt: Type.Unsafe<string>({ ...instant, description: 'When it last reported' }),
  stateAgeSeconds: numeric(
    'Seconds since its state was last known to be current, at the time of the report; null for edges of Unleash',
  ),
  connectedClients: Type.Integer({ minimum: 0, description: 'Open streams to clients' }),
  requestsPerSecond: numeric('Requests of its clients, on average since the previous report'),
  memoryBytes: numeric('Memory of the process'),
  latency: Type.Object(
    {
      featuresMs: numeric('Average of its requests for features'),
      featuresP99Ms: numeric('99th percentile'),
      metricsMs: numeric('Average of its reports of usage'),
      metricsP99Ms: numeric('99th percentile'),
    },
    { description: 'Response times of its upstream, in milliseconds' },
  ),
});
export type Edge = Static<typeof EdgeSchema>;

export const reportContract = {
  reportEdge: endpoint({
    method: 'POST',
    path: '/api/client/metrics/edge',
    id: 'clientEdgeMetrics',
    tag,
    summary: 'Report the state of an edge and of those behind it',
    description:
      'Edges of Burgee and of Unleash send this every minute. The report is accepted at once and stored within about a ' +
      'second. Unknown properties are ignored.',
    permission: 'none',
    audience: ['client'],
    duringMaintenance: true,
    body: EdgeReportSchema,
    status: 202,
  }),
};

export const listContract = {
  listEdges: endpoint({
    method: 'GET',
    path: '/api/admin/metrics/edges',
    id: 'getEdges',
    tag,
    summary: 'List the edges that reported within the last hour',
    description:
      'Edges of Burgee and of Unleash, including those behind other edges. They are ordered by name.',
    permission: 'ADMIN',
    response: named('edgesSchema', Type.Object({ edges: Type.Array(EdgeSchema) })),
  }),
};

export const edgesContract = { ...reportContract, ...listContract };
