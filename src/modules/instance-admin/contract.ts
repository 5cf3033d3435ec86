import { type Static, Type } from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { instant, named, oneOf } from '../../platform/contract/schema.ts';

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
    instanceId: Type.String({ format: 'uuid', description: 'Of this installation, for good' }),
    timestamp: Type.Unsafe<string>({ ...instant, description: 'When all this was counted' }),
    versionOSS: Type.String({ description: 'Of the Unleash API that is spoken here' }),
    versionEnterprise: Type.String({ description: 'The same' }),
    burgeeVersion: Type.String({ description: 'Of this server' }),
    users: count('Living people'),
    licensedUsers: count('The same: nobody needs a licence'),
    serviceAccounts: count('Living accounts of machines'),
    activeUsers: days([7, 30, 60, 90], 'People who were seen within so many days'),
    apiTokens: Type.Object(
      { admin: Type.Integer(), client: Type.Integer(), frontend: Type.Integer() },
      { description: 'Neither revoked nor expired' },
    ),
    featureToggles: count('Living features'),
    archivedFeatureToggles: count('Archived features'),
    projects: count('Living projects'),
    contextFields: count('Context fields'),
    roles: count('Roles, built-in ones too'),
    customRootRoles: count('Root roles that people made'),
    customRootRolesInUse: count('Those of them that an account or a group has'),
    groups: count('Groups'),
    environments: count('Environments'),
    segments: count('Segments'),
    strategies: count('Strategy types, built-in ones too'),
    SAMLenabled: Type.Boolean({ description: 'Never: there is no SAML' }),
    OIDCenabled: Type.Boolean({ description: 'Whether people sign in through a provider' }),
    passwordAuthEnabled: Type.Boolean({ description: 'Whether people sign in with passwords' }),
    SCIMenabled: Type.Boolean({ description: 'Never: there is no SCIM' }),
    clientApps: Type.Array(
      Type.Object({
        range: oneOf(['allTime', '30d', '7d']),
        count: Type.Integer({ minimum: 0 }),
      }),
      { description: 'Applications that let hear of themselves within that time' },
    ),
    featureExports: count('Exports that the kept log tells of'),
    featureImports: count('Imports that the kept log tells of'),
    productionChanges: days(
      [30, 60, 90],
      'Switches and changed strategies in environments of the type production, within so many days',
    ),
    maxEnvironmentStrategies: count('Strategies of the feature that has most of them in one place'),
    maxConstraints: count('Constraints of the strategy that has most of them'),
    maxConstraintValues: count('Values of the constraint of a strategy that has most of them'),
    previousDayMetricsBucketsCount: Type.Object(
      { enabledCount: Type.Integer(), variantCount: Type.Integer() },
      { description: 'Hourly counts of features and of variants that are kept of yesterday (UTC)' },
    ),
  }),
);
export type Statistics = Static<typeof StatisticsSchema>;

const LicensedUsersSchema = Type.Object({
  seatCount: count('As many as there are people: nobody needs a licence'),
  licensedUsers: Type.Object({
    current: count('Living people'),
    history: Type.Array(
      Type.Object({
        date: Type.String({ description: 'Last day of a month, yyyy-MM-dd' }),
        count: Type.Integer({ minimum: 0 }),
      }),
      { description: 'How many there were at the ends of the last twelve months, oldest first' },
    ),
  }),
});
export type LicensedUsers = Static<typeof LicensedUsersSchema>;

export const contract = {
  getStatistics: endpoint({
    method: 'GET',
    path: '/api/admin/instance-admin/statistics',
    id: 'getInstanceAdminStats',
    tag,
    summary: 'What this installation has, in numbers',
    permission,
    response: StatisticsSchema,
  }),

  getStatisticsCsv: endpoint({
    method: 'GET',
    path: '/api/admin/instance-admin/statistics/csv',
    id: 'getInstanceAdminStatsCsv',
    tag,
    summary: 'The same as a table of one line',
    permission,
    alsoProduces: { 'text/csv': 'A line of names, and a line of values' },
  }),

  getLicensedUsers: endpoint({
    method: 'GET',
    path: '/api/admin/licensed-users',
    id: 'getLicensedUsers',
    tag,
    summary: 'How many people there are, and were',
    permission,
    response: LicensedUsersSchema,
  }),
};
