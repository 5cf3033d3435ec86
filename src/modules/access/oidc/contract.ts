import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import {
  atMoment,
  maxInteger,
  named,
  notSupported,
  oneOf,
} from '../../../platform/contract/schema.ts';

const tag = 'Settings';
const path = '/api/admin/auth/oidc/settings';

const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

/** Shown instead of a stored secret. */
export const masked = '*****';

const switches = {
  enabled: Type.Boolean({ description: 'Whether users can sign in through the provider' }),
  autoCreate: Type.Boolean({
    description: 'Whether a user account is created at the first sign-in',
  }),
  enableGroupSyncing: Type.Boolean({
    description:
      'Whether each sign-in updates group memberships from the groups that the provider reports',
  }),
  addGroupsScope: Type.Boolean({ description: 'Whether to request the groups scope' }),
  enablePkce: Type.Boolean({
    description: 'Whether to use PKCE (S256)',
  }),
};

const texts = {
  discoverUrl: Type.String({
    maxLength: 2000,
    description:
      'Issuer of the provider, or the URL of its /.well-known/openid-configuration; must be https, except for localhost',
  }),
  clientId: Type.String({ maxLength: 500, description: 'Client ID at the provider' }),
  secret: Type.String({
    maxLength: 2000,
    description: `Client secret at the provider. Responses contain ${masked}; if it is sent back or omitted, the secret is unchanged`,
  }),
  emailDomains: Type.String({
    maxLength: 5000,
    description:
      'Comma-separated domains; an account is created only for an email address in one of them',
  }),
  groupJsonPath: Type.String({
    maxLength: 500,
    description: 'Path of the claim that lists groups, such as groups or realm_access.roles',
  }),
  acrValues: Type.String({
    maxLength: 1000,
    description: 'Requested authentication context class (acr_values), as defined by the provider',
  }),
};

const OidcSettingsSchema = named(
  'oidcSettingsResponseSchema',
  Type.Object({
    ...switches,
    discoverUrl: Type.Optional(texts.discoverUrl),
    clientId: Type.Optional(texts.clientId),
    secret: Type.Optional(texts.secret),
    defaultRootRole: Type.String({ description: 'Name of the root role for new users' }),
    defaultRootRoleId: Type.Integer({ description: 'ID of the root role for new users' }),
    emailDomains: Type.Optional(texts.emailDomains),
    groupJsonPath: Type.Optional(texts.groupJsonPath),
    acrValues: Type.Optional(texts.acrValues),
    idTokenSigningAlgorithm: Type.Optional(
      oneOf(
        algorithms,
        'The only accepted signature algorithm; omitted: any that the provider offers',
      ),
    ),
  }),
);
export type OidcSettings = Static<typeof OidcSettingsSchema>;

export const OidcInputSchema = named(
  'oidcSettingsSchema',
  Type.Object({
    enabled: Type.Optional(switches.enabled),
    autoCreate: Type.Optional(switches.autoCreate),
    enableGroupSyncing: Type.Optional(switches.enableGroupSyncing),
    addGroupsScope: Type.Optional(switches.addGroupsScope),
    enablePkce: Type.Optional(switches.enablePkce),
    discoverUrl: Type.Optional(nullable(texts.discoverUrl)),
    clientId: Type.Optional(nullable(texts.clientId)),
    secret: Type.Optional(nullable({ ...texts.secret, writeOnly: true })),
    defaultRootRole: Type.Optional(
      nullable(Type.String({ maxLength: 200, description: 'Name of a root role; null: Viewer' })),
    ),
    defaultRootRoleId: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 0,
          maximum: maxInteger,
          description: 'ID of a root role; takes precedence over the name. 0 or null: Viewer',
        }),
      ),
    ),
    enableSingleSignOut: notSupported('signing out ends only the Burgee session'),
    emailDomains: Type.Optional(nullable(texts.emailDomains)),
    groupJsonPath: Type.Optional(nullable(texts.groupJsonPath)),
    acrValues: Type.Optional(nullable(texts.acrValues)),
    idTokenSigningAlgorithm: Type.Optional(
      Type.Unsafe<(typeof algorithms)[number] | null>({
        type: ['string', 'null'],
        enum: [...algorithms, null],
      }),
    ),
  }),
);
export type OidcInput = Static<typeof OidcInputSchema>;

const OidcTestInputSchema = Type.Object({
  discoverUrl: Type.Optional(texts.discoverUrl),
  idTokenSigningAlgorithm: Type.Optional(OidcInputSchema.properties.idTokenSigningAlgorithm),
  enablePkce: Type.Optional(switches.enablePkce),
  addGroupsScope: Type.Optional(switches.addGroupsScope),
  hasClientId: Type.Optional(
    Type.Boolean({ description: 'Whether a client ID is set; the check does not use it' }),
  ),
  hasSecret: Type.Optional(
    Type.Boolean({ description: 'Whether a client secret is set; the check does not use it' }),
  ),
});
export type OidcTestInput = Static<typeof OidcTestInputSchema>;

const OidcFindingSchema = Type.Object({
  result: oneOf(
    ['passed', 'doubtful', 'failed'],
    'doubtful: signing in may work, but the provider does not advertise support for it',
  ),
  message: Type.String(),
});
export type OidcFinding = Static<typeof OidcFindingSchema>;

const OidcTestSchema = Type.Object({
  redirectUri: Type.String({ description: 'Register it with the provider' }),
  issuer: nullable(
    Type.String({ description: 'Issuer of the provider; null if it did not respond' }),
  ),
  findings: Type.Array(OidcFindingSchema),
});
export type OidcTest = Static<typeof OidcTestSchema>;

const permission = ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'];

export const contract = {
  getOidcSettings: endpoint({
    method: 'GET',
    path,
    id: 'getOidcSettings',
    secretInResponse: true,
    tag,
    summary: 'Get the OpenID Connect settings',
    permission,
    query: atMoment,
    response: OidcSettingsSchema,
  }),

  setOidcSettings: endpoint({
    method: 'POST',
    path,
    id: 'setOidcSettings',
    secretInResponse: true,
    tag,
    summary: 'Change the OpenID Connect settings',
    description:
      'Omitted properties stay unchanged. Null or an empty string removes a value; a secret of only spaces is removed too. The redirect URI is /auth/oidc/callback. Only admins may change these settings, because the provider decides who can sign in as whom.',
    permission: 'ADMIN',
    body: OidcInputSchema,
    response: OidcSettingsSchema,
  }),

  testOidcSettings: endpoint({
    method: 'POST',
    path: `${path}/test`,
    id: 'testOidcSettings',
    tag,
    summary: 'Test the OpenID Connect provider',
    description:
      'Reads the configuration and keys that the provider publishes. Omitted properties default to the saved settings. Nothing is saved, and no one is signed in: the client ID and its secret are checked at the first sign-in.',
    permission: 'ADMIN',
    duringMaintenance: true,
    body: OidcTestInputSchema,
    response: OidcTestSchema,
  }),
};
