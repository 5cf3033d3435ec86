import { type Static, Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';
import { oneOf } from '../../platform/http/schema.ts';

const limit = (description: string) => Type.Integer({ description });

const UiConfigSchema = Type.Object({
  name: Type.String(),
  slogan: Type.String(),
  version: Type.String(),
  environment: Type.String({ description: 'Empty: there is one edition, with everything in it' }),
  unleashUrl: Type.String({ description: 'Where people reach this installation' }),
  baseUriPath: Type.String(),
  versionInfo: Type.Object({
    current: Type.Object({ oss: Type.String(), enterprise: Type.String() }),
    latest: Type.Object({}),
    isLatest: Type.Boolean({ description: 'True: nobody is asked whether there is a newer one' }),
  }),
  flags: Type.Object({}, { description: 'Experiments that are on: none' }),
  authenticationType: oneOf(['enterprise'], 'Passwords, and what an administrator added to them'),
  disablePasswordAuth: Type.Boolean(),
  emailEnabled: Type.Boolean({ description: 'Whether mail is sent' }),
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
  }),
});
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
