import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../../platform/contract/schema.ts';

const limit = (description: string) => Type.Integer({ description });

const none = limit('0: there are no signals and no actions');

const UiConfigSchema = named(
  'uiConfigSchema',
  Type.Object({
    name: Type.String(),
    slogan: Type.String(),
    version: Type.String({ description: 'Version of the Unleash API that is implemented' }),
    burgeeVersion: Type.String({ description: 'Version of this server' }),
    environment: Type.String({ description: 'Empty: there is only one edition' }),
    unleashUrl: Type.String({ description: 'Public URL of this installation' }),
    baseUriPath: Type.String(),
    versionInfo: Type.Object({
      current: Type.Object({ oss: Type.String(), enterprise: Type.String() }),
      latest: Type.Object({}),
      isLatest: Type.Boolean({ description: 'Always true: there is no check for newer versions' }),
      instanceId: Type.String({ format: 'uuid', description: 'Permanent ID of this installation' }),
    }),
    flags: Type.Object(
      { EEA: Type.Boolean(), embedProxy: Type.Boolean(), embedProxyFrontend: Type.Boolean() },
      {
        description:
          "Feature switches of Unleash's UI: editable environments, the frontend API and its origins",
      },
    ),
    authenticationType: oneOf(
      ['enterprise'],
      'Password, and the sign-in methods that an admin added',
    ),
    disablePasswordAuth: Type.Boolean(),
    emailEnabled: Type.Boolean({ description: 'Whether a mail server is configured' }),
    networkViewEnabled: Type.Boolean({
      description:
        'Whether network metrics are available; always false, because Prometheus has them',
    }),
    maxSessionsCount: Type.Integer({
      minimum: 0,
      description: 'The highest number of sessions of a single user',
    }),
    maintenanceMode: Type.Boolean(),
    frontendApiOrigins: Type.Array(Type.String()),
    segmentValuesLimit: limit('Maximum number of values in all constraints of a segment'),
    strategySegmentsLimit: limit('Maximum number of segments in a strategy'),
    resourceLimits: Type.Object({
      segmentValues: limit('Maximum number of values in all constraints of a segment'),
      strategySegments: limit('Maximum number of segments in a strategy'),
      constraintValues: limit('Maximum number of values in a constraint'),
      constraints: limit('Maximum number of constraints in a strategy or segment'),
      featureEnvironmentStrategies: limit(
        'Maximum number of strategies of a feature in an environment',
      ),
      featureFlags: limit('Maximum number of active features'),
      segments: limit('Maximum number of segments'),
      apiTokens: limit('Maximum number of API tokens'),
      environments: limit('Maximum number of environments'),
      projects: limit('Maximum number of active projects'),
      signalEndpoints: none,
      signalTokensPerEndpoint: none,
      actionSetActions: none,
      actionSetsPerProject: none,
      actionSetFilters: none,
      actionSetFilterValues: none,
    }),
  }),
);
export type UiConfig = Static<typeof UiConfigSchema>;

export const uiConfigContract = {
  getUiConfig: endpoint({
    method: 'GET',
    path: '/api/admin/ui-config',
    id: 'getUiConfig',
    tag: 'Settings',
    summary: 'Get the configuration for the UI',
    permission: 'none',
    response: UiConfigSchema,
  }),
};
