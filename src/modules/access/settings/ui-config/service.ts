import type { Db } from '../../../../platform/db/database.ts';
import type { Settings } from '../../../../platform/module.ts';
import { apiVersion, version } from '../../../../version.ts';
import { countMostSessions, findInstanceId } from '../queries.ts';
import { frontendOrigins, isInMaintenance, isPasswordSignInOff } from '../service.ts';
import type { UiConfig } from './contract.ts';

/** As many as an installation can need; a script that makes one in every run is told before its millionth. */
export const maxApiTokens = 2000;

/** As the modules above keep them; they are no business of this one but to tell, and a test compares. */
export const resourceLimits: UiConfig['resourceLimits'] = {
  segmentValues: 7500,
  strategySegments: 20,
  constraintValues: 250,
  constraints: 30,
  featureEnvironmentStrategies: 30,
  featureFlags: 50_000,
  segments: 1000,
  apiTokens: maxApiTokens,
  environments: 200,
  projects: 5000,
  signalEndpoints: 0,
  signalTokensPerEndpoint: 0,
  actionSetActions: 0,
  actionSetsPerProject: 0,
  actionSetFilters: 0,
  actionSetFilterValues: 0,
};

export async function getUiConfig(
  db: Db,
  { baseUrl, mail }: Settings,
  now: Date,
): Promise<UiConfig> {
  return {
    name: 'Burgee',
    slogan: 'Feature flags with an event log that is complete, instant and provable',
    version: apiVersion,
    burgeeVersion: version,
    environment: '',
    unleashUrl: baseUrl,
    baseUriPath: '',
    versionInfo: {
      current: { oss: apiVersion, enterprise: apiVersion },
      latest: {},
      isLatest: true,
      instanceId: await findInstanceId(db),
    },
    flags: { EEA: true, embedProxy: true, embedProxyFrontend: true },
    authenticationType: 'enterprise',
    disablePasswordAuth: await isPasswordSignInOff(db),
    emailEnabled: mail !== undefined,
    networkViewEnabled: false,
    maxSessionsCount: await countMostSessions(db, now),
    maintenanceMode: await isInMaintenance(db),
    frontendApiOrigins: [...(await frontendOrigins(db))],
    segmentValuesLimit: resourceLimits.segmentValues,
    strategySegmentsLimit: resourceLimits.strategySegments,
    resourceLimits,
  };
}
