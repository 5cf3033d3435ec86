import type { Db } from '../../../../platform/db/database.ts';
import type { Settings } from '../../../../platform/module.ts';
import { apiVersion, version } from '../../../../platform/version.ts';
import { findInstanceId, findMaxSessionsPerUser } from '../queries.ts';
import { frontendOrigins, isInMaintenance, isPasswordSignInOff } from '../service.ts';
import type { UiConfig } from './contract.ts';

/** More than an installation needs. Stops a script that creates a token in every run. */
export const maxApiTokens = 2000;

/** The limits of modules that this module cannot import. A test compares them. */
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
    slogan: 'Feature flags with an event log that is complete, fast, and provable',
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
    maxSessionsCount: await findMaxSessionsPerUser(db, now),
    maintenanceMode: await isInMaintenance(db),
    frontendApiOrigins: [...(await frontendOrigins(db))],
    segmentValuesLimit: resourceLimits.segmentValues,
    strategySegmentsLimit: resourceLimits.strategySegments,
    resourceLimits,
  };
}
