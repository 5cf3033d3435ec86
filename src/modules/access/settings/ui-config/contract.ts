import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../../platform/contract/schema.ts';

const limit = (description: string) => Type.Integer({ description });

const none = limit('0: there are neither signals nor actions');

const UiConfigSchema = named(
  'uiConfigSchema',
  Type.Object({
    name: Type.String(),
    slogan: Type.String(),
    version: Type.String({ description: 'Of the Unleash API that is spoken here' }),
    burgeeVersion: Type.String({ description: 'Of this server' }),
    environment: Type.String({ description: 'Empty: there is one edition, with everything in it' }),
    unleashUrl: Type.String({ description: 'Where people reach this installation' }),
    baseUriPath: Type.String(),
    versionInfo: Type.Object({
      current: Type.Object({ oss: Type.String(), enterprise: Type.String() }),
      latest: Type.Object({}),
      isLatest: Type.Boolean({ description: 'True: nobody is asked whether there is a newer one' }),
      instanceId: Type.String({ format: 'uuid', description: 'Of this installation, for good' }),
    }),
    flags: Type.Object(
      { EEA: Type.Boolean(), embedProxy: Type.Boolean(), embedProxyFrontend: Type.Boolean() },
      {
        description:
          'What pages of the reference product show only where it is switched on: environments that can be changed, the frontend API and its origins',
      },
    ),
    authenticationType: oneOf(['enterprise'], 'Passwords, and what an administrator added to them'),
    disablePasswordAuth: Type.Boolean(),
    emailEnabled: Type.Boolean({ description: 'Whether mail is sent' }),
    networkViewEnabled: Type.Boolean({
      description: 'Whether figures of the network can be asked for: no, they are for Prometheus',
    }),
    maxSessionsCount: Type.Integer({
      minimum: 0,
      description: 'How many sessions the person has who has most of them',
    }),
    maintenanceMode: Type.Boolean(),
    frontendApiOrigins: Type.Array(Type.String()),
    segmentValuesLimit: limit('Values that the constraints of one segment can have together'),
    strategySegmentsLimit: limit('Segments that one strategy can have'),
    resourceLimits: Type.Object({
      segmentValues: limit('Values that the constraints of one segment can have together'),
      strategySegments: limit('Segments that one strategy can have'),
      constraintValues: limit('Values that one constraint can have'),
      constraints: limit('Constraints that one strategy or segment can have'),
      featureEnvironmentStrategies: limit('Strategies of one feature in one environment'),
      featureFlags: limit('Living features of the installation'),
      segments: limit('Segments of the installation'),
      apiTokens: limit('API tokens of the installation'),
      environments: limit('Environments of the installation'),
      projects: limit('Living projects of the installation'),
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
    summary: 'What a page has to know of this installation',
    permission: 'none',
    response: UiConfigSchema,
  }),
};
