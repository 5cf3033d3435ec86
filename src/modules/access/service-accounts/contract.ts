import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';
import {
  CreatedPersonalTokenSchema,
  CreatePersonalTokenSchema,
  PersonalTokenSchema,
  PersonalTokensSchema,
  conflict as personalTokenConflict,
} from '../personal-tokens/contract.ts';
import { RoleSchema } from '../roles/contract.ts';
import { AccessOverviewSchema } from '../users/permissions/contract.ts';
import {
  PersonNameSchema,
  RoleIdOrNameSchema,
  UsernameSchema,
  UserSchema,
} from '../users/user-schema.ts';

const tag = 'Service accounts';
const path = '/api/admin/service-account';
const permission = 'ADMIN';
const conflict = 'the username is taken';
const params = Type.Object({ id: Type.String() });

const name = Type.String({ ...PersonNameSchema, description: 'Display name' });
const username = Type.String({ ...UsernameSchema, description: 'Unique among all accounts' });

const CreateServiceAccountSchema = named(
  'createServiceAccountSchema',
  Type.Object({
    username,
    name: Type.Optional(name),
    rootRole: RoleIdOrNameSchema,
  }),
);
export type CreateServiceAccount = Static<typeof CreateServiceAccountSchema>;

const ServiceAccountChangeSchema = named(
  'updateServiceAccountSchema',
  Type.Object({
    username: Type.Optional(username),
    name: Type.Optional(name),
    rootRole: Type.Optional(RoleIdOrNameSchema),
  }),
);
export type ServiceAccountChange = Static<typeof ServiceAccountChangeSchema>;

const ServiceAccountSchema = named(
  'serviceAccountSchema',
  Type.Object({
    ...UserSchema.properties,
    tokens: Type.Array(PersonalTokenSchema, { description: 'Tokens without their secrets' }),
  }),
);
export type ServiceAccount = Static<typeof ServiceAccountSchema>;

export const contract = {
  listServiceAccounts: endpoint({
    method: 'GET',
    path,
    id: 'getServiceAccounts',
    tag,
    summary: 'List service accounts with their tokens',
    permission,
    response: named(
      'serviceAccountsSchema',
      Type.Object({
        serviceAccounts: Type.Array(ServiceAccountSchema),
        rootRoles: Type.Array(RoleSchema),
      }),
    ),
  }),

  createServiceAccount: endpoint({
    method: 'POST',
    path,
    id: 'createServiceAccount',
    conflict,
    tag,
    summary: 'Create a service account',
    permission,
    body: CreateServiceAccountSchema,
    response: ServiceAccountSchema,
    status: 201,
  }),

  updateServiceAccount: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    id: 'updateServiceAccount',
    conflict,
    tag,
    summary: 'Update a service account; omitted properties stay unchanged',
    permission,
    params,
    body: ServiceAccountChangeSchema,
    response: ServiceAccountSchema,
  }),

  deleteServiceAccount: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    id: 'deleteServiceAccount',
    tag,
    summary: 'Delete a service account and revoke its tokens',
    permission,
    params,
  }),

  listServiceAccountTokens: endpoint({
    method: 'GET',
    path: `${path}/:id/token`,
    id: 'getServiceAccountTokens',
    tag,
    summary: 'List the tokens of a service account',
    permission,
    params,
    response: PersonalTokensSchema,
  }),

  createServiceAccountToken: endpoint({
    method: 'POST',
    path: `${path}/:id/token`,
    id: 'createServiceAccountToken',
    secretInResponse: true,
    conflict: personalTokenConflict,
    tag,
    summary: 'Create a token for a service account',
    description:
      'The token has all permissions of the account. An account can have at most ten tokens. The secret is returned only here.',
    permission,
    params,
    body: CreatePersonalTokenSchema,
    response: CreatedPersonalTokenSchema,
    status: 201,
  }),

  deleteServiceAccountToken: endpoint({
    method: 'DELETE',
    path: `${path}/:id/token/:tokenId`,
    id: 'deleteServiceAccountToken',
    tag,
    summary: 'Revoke a token of a service account',
    permission,
    params: Type.Object({ id: Type.String(), tokenId: Type.String() }),
  }),

  getServiceAccountPermissions: endpoint({
    method: 'GET',
    path: `${path}/:id/permissions`,
    id: 'getServiceAccountPermissions',
    tag,
    summary: 'List the permissions of a service account',
    permission,
    params,
    query: Type.Object({
      project: Type.Optional(Type.String({ maxLength: 200 })),
      environment: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    response: AccessOverviewSchema,
  }),
};
