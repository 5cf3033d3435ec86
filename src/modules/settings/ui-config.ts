import type { Db } from '../../platform/db/database.ts';
import type { Settings } from '../../platform/module.ts';
import { version } from '../../version.ts';
import { frontendOrigins, isInMaintenance, isPasswordSignInOff } from './service.ts';
import type { UiConfig } from './ui-config-contract.ts';

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
};

export async function getUiConfig(db: Db, { baseUrl, mail }: Settings): Promise<UiConfig> {
  return {
    name: 'Burgee',
    slogan: 'Feature flags with an event log that is complete, instant and provable',
    version,
    environment: '',
    unleashUrl: baseUrl,
    baseUriPath: '',
    versionInfo: { current: { oss: version, enterprise: version }, latest: {}, isLatest: true },
    flags: {},
    authenticationType: 'enterprise',
    disablePasswordAuth: await isPasswordSignInOff(db),
    emailEnabled: mail !== undefined,
    maintenanceMode: await isInMaintenance(db),
    frontendApiOrigins: [...(await frontendOrigins(db))],
    segmentValuesLimit: resourceLimits.segmentValues,
    strategySegmentsLimit: resourceLimits.strategySegments,
    resourceLimits,
  };
}
