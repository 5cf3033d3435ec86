import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../platform/contract/schema.ts';

const tag = 'Settings';

const MaintenanceSchema = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the installation is closed for changes' }),
});

const origins = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: 200,
  description: 'Sites whose pages may use the frontend API; * stands for all',
});
const OriginsSchema = named('setCorsSchema', Type.Object({ frontendApiOrigins: origins }));

const mayChangeOrigins = ['ADMIN', 'UPDATE_CORS'];

const maxRetentionDays = 100_000;
const eventDays = nullable(
  Type.Integer({
    minimum: 1,
    maximum: maxRetentionDays,
    description: 'Events that are older are removed, within the hour; null: they are kept',
  }),
);

const RetentionSchema = Type.Object({
  eventDays,
  setBy: oneOf(
    ['environment', 'setting', 'default'],
    'Who decides: EVENT_RETENTION_DAYS, which goes before the setting, or nobody',
  ),
});
export type Retention = Static<typeof RetentionSchema>;

const SimpleSignInSchema = named(
  'passwordAuthSchema',
  Type.Object({
    disabled: Type.Boolean({ description: 'Whether nobody can sign in with a password' }),
  }),
);

const mayChangeSignIn = ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'];

export const contract = {
  getMaintenance: endpoint({
    method: 'GET',
    path: '/api/admin/maintenance',
    id: 'getMaintenance',
    tag,
    summary: 'Whether the installation is closed for changes',
    permission: ['ADMIN', 'UPDATE_MAINTENANCE_MODE'],
    response: named('maintenanceSchema', MaintenanceSchema),
  }),

  toggleMaintenance: endpoint({
    method: 'POST',
    path: '/api/admin/maintenance',
    id: 'toggleMaintenance',
    tag,
    summary: 'Close the installation for changes, or open it again',
    description:
      'While it is closed, requests that would change something are answered with 503 MaintenanceError. Reading, SDKs and signing in go on.',
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
    summary: 'Set which sites may use the frontend API',
    permission: mayChangeOrigins,
    body: OriginsSchema,
    status: 204,
  }),

  setUiConfig: endpoint({
    method: 'POST',
    path: '/api/admin/ui-config',
    id: 'setUiConfig',
    tag,
    summary:
      'Set which sites may use the frontend API; POST /api/admin/ui-config/cors does the same',
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
    summary: 'For how long events are kept, and who decided it',
    permission: 'ADMIN',
    response: RetentionSchema,
  }),

  setRetention: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/retention',
    id: 'setRetentionSettings',
    tag,
    summary: 'Set for how long events are kept; null: for ever',
    permission: 'ADMIN',
    body: Type.Object({ eventDays }),
    response: RetentionSchema,
  }),

  getSimpleSignIn: endpoint({
    method: 'GET',
    path: '/api/admin/auth/simple/settings',
    id: 'getSimpleSettings',
    tag,
    summary: 'Whether people sign in with passwords',
    permission: mayChangeSignIn,
    response: SimpleSignInSchema,
  }),

  setSimpleSignIn: endpoint({
    method: 'POST',
    path: '/api/admin/auth/simple/settings',
    id: 'setSimpleSettings',
    tag,
    summary: 'Switch signing in with passwords on or off',
    description: 'It can be off only while people can sign in through an OpenID Connect provider.',
    permission: mayChangeSignIn,
    body: named(
      'passwordAuthSchema',
      Type.Object({ disabled: Type.Optional(SimpleSignInSchema.properties.disabled) }),
    ),
    response: SimpleSignInSchema,
  }),
};
