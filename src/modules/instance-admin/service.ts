import type { Db } from '../../platform/db/database.ts';
import { apiVersion, version } from '../../platform/version.ts';
import {
  findInstanceId,
  isPasswordSignInOff,
  oidcSetting,
  readSetting,
} from '../access/settings/index.ts';
import type { LicensedUsers, Statistics } from './contract.ts';
import { countEvents, countPeopleAt, countRows } from './queries.ts';

/** All numbers are of one snapshot. */
export async function getStatistics(db: Db, now: Date): Promise<Statistics> {
  const things = await countRows(db, now);
  const events = await countEvents(db, now);
  const oidc = await readSetting<{ enabled?: boolean }>(db, oidcSetting);
  return {
    instanceId: await findInstanceId(db),
    timestamp: now.toISOString(),
    versionOSS: apiVersion,
    versionEnterprise: apiVersion,
    burgeeVersion: version,
    users: things.users,
    licensedUsers: things.users,
    serviceAccounts: things.serviceAccounts,
    activeUsers: {
      last7: things.seen7,
      last30: things.seen30,
      last60: things.seen60,
      last90: things.seen90,
    },
    apiTokens: {
      admin: things.adminTokens,
      client: things.clientTokens,
      frontend: things.frontendTokens,
    },
    featureToggles: things.featureToggles,
    archivedFeatureToggles: things.archivedFeatureToggles,
    projects: things.projects,
    contextFields: things.contextFields,
    roles: things.roles,
    customRootRoles: things.customRootRoles,
    customRootRolesInUse: things.customRootRolesInUse,
    groups: things.groups,
    environments: things.environments,
    segments: things.segments,
    strategies: things.strategies,
    SAMLenabled: false,
    OIDCenabled: oidc?.enabled === true,
    passwordAuthEnabled: !(await isPasswordSignInOff(db)),
    SCIMenabled: false,
    clientApps: [
      { range: 'allTime', count: things.applications },
      { range: '30d', count: things.applications30 },
      { range: '7d', count: things.applications7 },
    ],
    featureExports: events.featureExports,
    featureImports: events.featureImports,
    productionChanges: { last30: events.last30, last60: events.last60, last90: events.last90 },
    maxEnvironmentStrategies: things.maxEnvironmentStrategies,
    maxConstraints: things.maxConstraints,
    maxConstraintValues: things.maxConstraintValues,
    previousDayMetricsBucketsCount: {
      enabledCount: things.enabledCount,
      variantCount: things.variantCount,
    },
  };
}

/** The statistics as one flat row: nested names joined by dots, ranges under their name. */
export function rowOf(statistics: Statistics): Record<string, unknown> {
  const cells = Object.entries(statistics).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map(({ range, count }) => [`${name}.${range}`, count]);
    if (typeof value !== 'object') return [[name, value]];
    return Object.entries(value).map(([below, each]) => [`${name}.${below}`, each]);
  });
  return Object.fromEntries(cells);
}

const monthsReturned = 12;

/** The starts of months, newest last, which are the ends of the months before. */
function monthEnds(now: Date): Date[] {
  const ends = Array.from({ length: monthsReturned }, (_, index) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsReturned + 1 + index, 1),
  );
  return ends.map((at) => new Date(at));
}

export async function getLicensedUsers(db: Db, now: Date): Promise<LicensedUsers> {
  const ends = monthEnds(now);
  const [current = 0, ...counts] = await countPeopleAt(db, [now, ...ends]);
  const lastDay = (end: Date) => new Date(end.getTime() - 1).toISOString().slice(0, 10);
  return {
    seatCount: current,
    licensedUsers: {
      current,
      history: ends.map((end, index) => ({ date: lastDay(end), count: counts[index] ?? 0 })),
    },
  };
}
