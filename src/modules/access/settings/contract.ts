import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { atMoment, named, oneOf } from '../../../platform/contract/schema.ts';
import { uiConfigContract } from './ui-config/contract.ts';

const tag = 'Settings';

const MaintenanceSchema = Type.Object({
  enabled: Type.Boolean({ description: 'Whether maintenance mode is enabled' }),
});

const origins = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: 200,
  description: 'Origins that may use the frontend API; * means all',
});
const OriginsSchema = named('setCorsSchema', Type.Object({ frontendApiOrigins: origins }));

const mayChangeOrigins = ['ADMIN', 'UPDATE_CORS'];

const maxRetentionDays = 100_000;
const eventDays = nullable(
  Type.Integer({
    minimum: 1,
    maximum: maxRetentionDays,
    description:
      'Events older than this many days are removed within the hour; null: events are kept forever',
  }),
);

const RetentionSchema = Type.Object({
  eventDays,
  setBy: oneOf(
    ['environment', 'setting', 'default'],
    'Source of the value: EVENT_RETENTION_DAYS, which takes precedence over the setting, the setting, or none',
  ),
});
export type Retention = Static<typeof RetentionSchema>;

const SimpleSignInSchema = named(
  'passwordAuthSchema',
  Type.Object({
    disabled: Type.Boolean({ description: 'Whether password sign-in is disabled' }),
  }),
);

const mayChangeSignIn = ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'];

export const contract = {
  getMaintenance: endpoint({
    method: 'GET',
    path: '/api/admin/maintenance',
    id: 'getMaintenance',
    tag,
    summary: 'Check whether maintenance mode is enabled',
    permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
    query: atMoment,
    response: named('maintenanceSchema', MaintenanceSchema),
  }),

  toggleMaintenance: endpoint({
    method: 'POST',
    path: '/api/admin/maintenance',
    id: 'toggleMaintenance',
    tag,
    summary: 'Enable or disable maintenance mode',
    description:
      'While maintenance mode is enabled, requests that would change something get 503 MaintenanceError. Reads, SDKs, and sign-in keep working.',
    permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
    duringMaintenance: true,
    body: named('toggleMaintenanceSchema', MaintenanceSchema),
    status: 204,
  }),

  setCors: endpoint({
    method: 'POST',
    path: '/api/admin/ui-config/cors',
    id: 'setCors',
    tag,
    summary: 'Set the origins that may use the frontend API',
    permission: mayChangeOrigins,
    body: OriginsSchema,
    status: 204,
  }),

  setUiConfig: endpoint({
    method: 'POST',
    path: '/api/admin/ui-config',
    id: 'setUiConfig',
    tag,
    summary: 'Set the origins that may use the frontend API',
    deprecated: true,
    permission: mayChangeOrigins,
    body: named('setUiConfigSchema', Type.Object({ frontendSettings: OriginsSchema })),
    status: 204,
  }),

  getRetention: endpoint({
    method: 'GET',
    path: '/api/admin/settings/retention',
    id: 'getRetentionSettings',
    tag,
    summary: 'Get the retention period of events and its source',
    permission: 'ADMIN',
    query: atMoment,
    response: RetentionSchema,
  }),

  setRetention: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/retention',
    id: 'setRetentionSettings',
    tag,
    summary: 'Set the retention period of events; null keeps them forever',
    permission: 'ADMIN',
    body: Type.Object({ eventDays }),
    response: RetentionSchema,
  }),

  getSimpleSignIn: endpoint({
    method: 'GET',
    path: '/api/admin/auth/simple/settings',
    id: 'getSimpleSettings',
    tag,
    summary: 'Check whether password sign-in is enabled',
    permission: mayChangeSignIn,
    query: atMoment,
    response: SimpleSignInSchema,
  }),

  setSimpleSignIn: endpoint({
    method: 'POST',
    path: '/api/admin/auth/simple/settings',
    id: 'setSimpleSettings',
    tag,
    summary: 'Enable or disable password sign-in',
    description: 'It can be disabled only if users can sign in through an OpenID Connect provider.',
    permission: mayChangeSignIn,
    body: named(
      'passwordAuthSchema',
      Type.Object({ disabled: Type.Optional(SimpleSignInSchema.properties.disabled) }),
    ),
    response: SimpleSignInSchema,
  }),
};

export const settingsContract = { ...uiConfigContract, ...contract };
