import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { maxInteger, named, notSupported, oneOf } from '../../../platform/contract/schema.ts';

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

/** What stands for a secret that is stored. */
export const masked = '*****';

const switches = {
  enabled: Type.Boolean({ description: 'Whether people sign in through the provider' }),
  autoCreate: Type.Boolean({ description: 'Whether those who are not known here become users' }),
  enableGroupSyncing: Type.Boolean({
    description: 'Whether each log-in makes people members of the groups that the provider names',
  }),
  addGroupsScope: Type.Boolean({ description: 'Whether the scope groups is asked for' }),
  enablePkce: Type.Boolean({
    description: 'Whether log-ins are bound to the browser that began them (S256)',
  }),
};

const texts = {
  discoverUrl: Type.String({
    maxLength: 2000,
    description:
      'Issuer of the provider, or the address of its /.well-known/openid-configuration; https, but for localhost',
  }),
  clientId: Type.String({ maxLength: 500, description: 'What we are called at the provider' }),
  secret: Type.String({
    maxLength: 2000,
    description: `What we prove it with. Answers say ${masked}; sent back, or left out, it stays`,
  }),
  emailDomains: Type.String({
    maxLength: 5000,
    description: 'Domains, separated by commas: only who has an address there becomes a user',
  }),
  groupJsonPath: Type.String({
    maxLength: 500,
    description: 'Where the claims name groups, such as groups or realm_access.roles',
  }),
  acrValues: Type.String({
    maxLength: 1000,
    description: 'How strongly people shall prove who they are, in the words of the provider',
  }),
};

const OidcSettingsSchema = named(
  'oidcSettingsResponseSchema',
  Type.Object({
    ...switches,
    discoverUrl: Type.Optional(texts.discoverUrl),
    clientId: Type.Optional(texts.clientId),
    secret: Type.Optional(texts.secret),
    defaultRootRole: Type.String({ description: 'What who becomes a user may do, by name' }),
    defaultRootRoleId: Type.Integer({ description: 'The same, by id' }),
    emailDomains: Type.Optional(texts.emailDomains),
    groupJsonPath: Type.Optional(texts.groupJsonPath),
    acrValues: Type.Optional(texts.acrValues),
    idTokenSigningAlgorithm: Type.Optional(
      oneOf(algorithms, 'The only one that is trusted; left out: any that the provider offers'),
    ),
  }),
);
export type OidcSettings = Static<typeof OidcSettingsSchema>;

export const OidcWishSchema = named(
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
      nullable(
        Type.String({ maxLength: 200, description: 'Name of a root role; null: that of a viewer' }),
      ),
    ),
    defaultRootRoleId: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 0,
          maximum: maxInteger,
          description: 'Id of a root role; goes before the name. 0 or null: that of a viewer',
        }),
      ),
    ),
    enableSingleSignOut: notSupported('signing out ends the session here, and no other'),
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
export type OidcWish = Static<typeof OidcWishSchema>;

const permission = ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'];

export const contract = {
  getOidcSettings: endpoint({
    method: 'GET',
    path,
    id: 'getOidcSettings',
    tag,
    summary: 'How people sign in through an OpenID Connect provider',
    permission,
    response: OidcSettingsSchema,
  }),

  setOidcSettings: endpoint({
    method: 'POST',
    path,
    id: 'setOidcSettings',
    tag,
    summary: 'Set how people sign in through an OpenID Connect provider',
    description:
      'What is left out stays as it is; null or an empty text takes it away, and so does a secret of blanks. The address that the provider sends people back to is /auth/oidc/callback. Whoever chooses the provider decides who comes in as whom, so this is for administrators.',
    permission: 'ADMIN',
    body: OidcWishSchema,
    response: OidcSettingsSchema,
  }),
};
