import { type Static, Type } from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { instant, named, oneOf } from '../../platform/contract/schema.ts';
import { insightsContract } from './insights/contract.ts';

const tag = 'Instance Admin';
/** Private projects are counted too. */
const permission = 'ADMIN';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const days = (numbers: readonly number[], description: string) =>
  Type.Object(
    Object.fromEntries(numbers.map((each) => [`last${each}`, Type.Integer({ minimum: 0 })])),
    { description },
  );

const StatisticsSchema = named(
  'instanceAdminStatsSchema',
  Type.Object({
    instanceId: Type.String({ format: 'uuid', description: 'Permanent ID of this installation' }),
    timestamp: Type.Unsafe<string>({
      ...instant,
      description: 'When the statistics were computed',
    }),
    versionOSS: Type.String({ description: 'Version of the Unleash API that is implemented' }),
    versionEnterprise: Type.String({ description: 'Same value as versionOSS' }),
    burgeeVersion: Type.String({ description: 'Version of this server' }),
    users: count('Number of users'),
    licensedUsers: count('Same value as users; no license is needed'),
    serviceAccounts: count('Number of service accounts'),
    activeUsers: days([7, 30, 60, 90], 'Users seen within this period'),
    apiTokens: Type.Object(
      { admin: Type.Integer(), client: Type.Integer(), frontend: Type.Integer() },
      { description: 'Neither revoked nor expired' },
    ),
    featureToggles: count('Active features'),
    archivedFeatureToggles: count('Archived features'),
    projects: count('Active projects'),
    contextFields: count('Context fields'),
    roles: count('Roles, including built-in ones'),
    customRootRoles: count('Custom root roles'),
    customRootRolesInUse: count('Custom root roles that an account or group has'),
    groups: count('Groups'),
    environments: count('Environments'),
    segments: count('Segments'),
    strategies: count('Strategy types, including built-in ones'),
    SAMLenabled: Type.Boolean({ description: 'Always false: SAML is not supported' }),
    OIDCenabled: Type.Boolean({ description: 'Whether OpenID Connect is enabled' }),
    passwordAuthEnabled: Type.Boolean({
      description: 'Whether password sign-in is enabled',
    }),
    SCIMenabled: Type.Boolean({ description: 'Always false: SCIM is not supported' }),
    clientApps: Type.Array(
      Type.Object({
        range: oneOf(['allTime', '30d', '7d']),
        count: Type.Integer({ minimum: 0 }),
      }),
      { description: 'Applications seen within this period' },
    ),
    featureExports: count('Number of exports in the retained log'),
    featureImports: count('Number of imports in the retained log'),
    productionChanges: days(
      [30, 60, 90],
      'Number of enable, disable, and strategy changes in production environments within this period',
    ),
    maxEnvironmentStrategies: count('Highest number of strategies of a feature in one environment'),
    maxConstraints: count('Highest number of constraints in a strategy'),
    maxConstraintValues: count('Highest number of values in a strategy constraint'),
    previousDayMetricsBucketsCount: Type.Object(
      { enabledCount: Type.Integer(), variantCount: Type.Integer() },
      { description: 'Number of hourly feature and variant counts stored for yesterday (UTC)' },
    ),
  }),
);
export type Statistics = Static<typeof StatisticsSchema>;

const LicensedUsersSchema = Type.Object({
  seatCount: count('The number of users; no license is needed'),
  licensedUsers: Type.Object({
    current: count('Number of users'),
    history: Type.Array(
      Type.Object({
        date: Type.String({ description: 'Last day of a month, yyyy-MM-dd' }),
        count: Type.Integer({ minimum: 0 }),
      }),
      { description: 'Number of users at the end of each of the last twelve months, oldest first' },
    ),
  }),
});
export type LicensedUsers = Static<typeof LicensedUsersSchema>;

const bytes = (description: string) => Type.Integer({ minimum: 0, description });

const StateSchema = named(
  'instanceStateSchema',
  Type.Object({
    instanceId: Type.String({ format: 'uuid', description: 'Permanent ID of this installation' }),
    burgeeVersion: Type.String({ description: 'Version of this server' }),
    apiVersion: Type.String({ description: 'Version of the Unleash API that is implemented' }),
    nodeVersion: Type.String(),
    startedAt: Type.Unsafe<string>({ ...instant, description: 'When this instance started' }),
    processors: count('Processors of the machine'),
    memory: Type.Object({
      usedBytes: bytes('Memory of this instance'),
      freeBytes: bytes('Free memory of the machine'),
      totalBytes: bytes('Memory of the machine'),
    }),
    database: Type.Object({
      version: Type.String({ description: 'Version of PostgreSQL' }),
      kind: oneOf(['embedded', 'external'], 'embedded: Burgee runs the database itself'),
      sizeBytes: bytes('Size of the whole database'),
      connections: count('Open connections to the database'),
    }),
    disk: Type.Optional(
      Type.Object(
        {
          folder: Type.String({ description: 'Where the embedded database is' }),
          freeBytes: bytes('Free space'),
          totalBytes: bytes('Size of the disk'),
        },
        { description: 'Omitted if the database is not on this machine' },
      ),
    ),
  }),
);
export type InstanceState = Static<typeof StateSchema>;

export const contract = {
  ...insightsContract,

  getInstanceState: endpoint({
    method: 'GET',
    path: '/api/admin/instance-admin/state',
    id: 'getInstanceState',
    tag,
    summary: 'Get the state of this instance: version, database, disk, and memory',
    description: 'Describes the server process that responds. Prometheus metrics have more.',
    permission,
    response: StateSchema,
  }),

  getStatistics: endpoint({
    method: 'GET',
    path: '/api/admin/instance-admin/statistics',
    id: 'getInstanceAdminStats',
    tag,
    summary: 'Get statistics of the installation',
    permission,
    response: StatisticsSchema,
  }),

  getStatisticsCsv: endpoint({
    method: 'GET',
    path: '/api/admin/instance-admin/statistics/csv',
    id: 'getInstanceAdminStatsCsv',
    tag,
    summary: 'Get statistics of the installation as CSV',
    permission,
    alsoProduces: { 'text/csv': 'A header line and one line of values' },
  }),

  getLicensedUsers: endpoint({
    method: 'GET',
    path: '/api/admin/licensed-users',
    id: 'getLicensedUsers',
    tag,
    summary: 'Get the current and past number of users',
    permission,
    response: LicensedUsersSchema,
  }),
};
