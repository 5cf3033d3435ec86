import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { instant, named, nameText, oneOf } from '../../../platform/contract/schema.ts';

const tag = 'API tokens';
const path = '/api/admin/api-tokens';
const ofProject = '/api/admin/projects/:projectId/api-tokens';
const scope = 'projectId';

const tokenTypes = ['client', 'frontend', 'admin'] as const;
export type TokenType = (typeof tokenTypes)[number];

const inAnyCase = (word: string) => word.replace(/[a-z]/g, (x) => `[${x}${x.toUpperCase()}]`);

const type = Type.String({
  pattern: `^(?:${tokenTypes.map(inAnyCase).join('|')})$`,
  description: 'client, frontend, or admin; case-insensitive',
  'x-fault': `must be one of ${tokenTypes.join(', ')}`,
});

/** The schema guarantees that it is one of the three types. */
export const typeOf = (text: string): TokenType => text.toLowerCase() as TokenType;

const expiresAt = nullable(
  Type.String({
    format: 'date-time',
    maxLength: 64,
    description: 'Expiry time; null if it never expires',
  }),
);
const nameOfToken = nameText({ maxLength: 255 });
const nameOfProject = Type.String({ minLength: 1, maxLength: 100 });

const CreateTokenSchema = named(
  'createApiTokenSchema',
  Type.Object({
    tokenName: Type.Optional(
      Type.String({ ...nameOfToken, description: 'Does not have to be unique' }),
    ),
    username: Type.Optional(
      Type.String({
        ...nameOfToken,
        description: 'Deprecated alias of tokenName',
        deprecated: true,
      }),
    ),
    type,
    environment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Default: development, or the first environment if it does not exist',
      }),
    ),
    project: Type.Optional(
      Type.String({
        ...nameOfProject,
        description: 'Default, if projects is also omitted: all projects',
      }),
    ),
    projects: Type.Optional(
      Type.Array(nameOfProject, {
        maxItems: 1000,
        uniqueItems: true,
        description: 'An empty list is treated as omitted',
      }),
    ),
    expiresAt: Type.Optional(expiresAt),
    alias: Type.Optional(
      nullable(
        nameText({
          minLength: 0,
          maxLength: 255,
          description: 'For SDK proxies; Burgee does not use it',
        }),
      ),
    ),
  }),
);
export type CreateToken = Static<typeof CreateTokenSchema>;

const ApiTokenSchema = named(
  'apiTokenSchema',
  Type.Object({
    id: Type.Integer({ description: 'Can be used in paths instead of the secret' }),
    secret: Type.String({
      description:
        'Complete in the response that creates the token. Lists show it to callers who may create such a token, and mask it for others. Always masked for admin tokens, and if no encryption key is configured',
    }),
    tokenName: Type.String(),
    username: Type.String({ deprecated: true }),
    type: oneOf(tokenTypes),
    environment: Type.String({ description: '* for admin tokens' }),
    project: Type.String({
      description: 'The values of projects, separated by commas',
      deprecated: true,
    }),
    projects: Type.Array(Type.String(), { description: '* means all' }),
    alias: nullable(Type.String()),
    expiresAt: nullable(instant),
    createdAt: instant,
    seenAt: nullable(
      Type.String({
        format: 'date-time',
        description:
          'Last use; null if never used. Uses on other instances appear within 15 seconds',
      }),
    ),
  }),
);
export type ApiToken = Static<typeof ApiTokenSchema>;

const ApiTokensSchema = named(
  'apiTokensSchema',
  Type.Object({ tokens: Type.Array(ApiTokenSchema) }),
);

/** The secret of a token, or its id in the list. */
const secret = Type.String({
  writeOnly: true,
  description: 'The complete secret of the token, or its ID',
});

/** The gate requires one of these. The service requires the one for the type of the token. */
const any = (action: 'READ' | 'CREATE' | 'UPDATE' | 'DELETE') =>
  ['ADMIN', `${action}_CLIENT_API_TOKEN`, `${action}_FRONTEND_API_TOKEN`] as const;

export const contract = {
  listApiTokens: endpoint({
    method: 'GET',
    path,
    id: 'getAllApiTokens',
    secretInResponse: true,
    tag,
    summary: 'List the API tokens that you may read',
    description:
      'Sorted by age, oldest first. Secrets of client and frontend tokens are visible to callers who may create such a token, and masked for others. ' +
      'A token for protected or private projects is listed only if you have ' +
      'READ_PROJECT_API_TOKEN in each of them. Admin tokens and tokens for all projects are listed only for admins.',
    permission: any('READ'),
    response: ApiTokensSchema,
  }),

  listApiTokensByName: endpoint({
    method: 'GET',
    path: `${path}/:name`,
    id: 'getApiTokensByName',
    secretInResponse: true,
    tag,
    summary: 'List the API tokens with a name',
    permission: any('READ'),
    params: Type.Object({ name: Type.String() }),
    response: ApiTokensSchema,
  }),

  createApiToken: endpoint({
    method: 'POST',
    path,
    id: 'createApiToken',
    secretInResponse: true,
    tag,
    summary: 'Create an API token',
    description:
      'The secret of an admin token is returned only here. Only admins can create admin tokens and tokens for all projects. Other tokens require the permission for their ' +
      'type, and CREATE_PROJECT_API_TOKEN in each protected or private project that they name.',
    permission: any('CREATE'),
    body: CreateTokenSchema,
    response: ApiTokenSchema,
    status: 201,
  }),

  updateApiToken: endpoint({
    method: 'PUT',
    path: `${path}/:secret`,
    id: 'updateApiToken',
    tag,
    summary: 'Change the expiry of an API token',
    description:
      'Also requires CREATE_PROJECT_API_TOKEN and DELETE_PROJECT_API_TOKEN in each protected or private project of the token.',
    permission: any('UPDATE'),
    params: Type.Object({ secret }),
    body: named('updateApiTokenSchema', Type.Object({ expiresAt })),
  }),

  deleteApiToken: endpoint({
    method: 'DELETE',
    path: `${path}/:secret`,
    id: 'deleteApiToken',
    tag,
    summary: 'Revoke an API token',
    description:
      'Takes effect immediately and cannot be undone. Also requires DELETE_PROJECT_API_TOKEN in each protected or private project of the token.',
    permission: any('DELETE'),
    params: Type.Object({ secret }),
  }),

  listProjectApiTokens: endpoint({
    method: 'GET',
    path: ofProject,
    id: 'getProjectApiTokens',
    secretInResponse: true,
    tag,
    summary: 'List the API tokens of a project',
    description:
      'Sorted by age, oldest first. A token that covers several projects shows only those that you can see.',
    permission: 'READ_PROJECT_API_TOKEN',
    scope,
    params: Type.Object({ projectId: Type.String() }),
    response: ApiTokensSchema,
  }),

  createProjectApiToken: endpoint({
    method: 'POST',
    path: ofProject,
    id: 'createProjectApiToken',
    secretInResponse: true,
    tag,
    summary: 'Create a client or frontend token for a project',
    permission: 'CREATE_PROJECT_API_TOKEN',
    scope,
    params: Type.Object({ projectId: Type.String() }),
    body: CreateTokenSchema,
    response: ApiTokenSchema,
    status: 201,
  }),

  deleteProjectApiToken: endpoint({
    method: 'DELETE',
    path: `${ofProject}/:secret`,
    id: 'deleteProjectApiToken',
    alsoArchived: true,
    tag,
    summary: 'Revoke an API token that covers only this project',
    permission: 'DELETE_PROJECT_API_TOKEN',
    scope,
    params: Type.Object({ projectId: Type.String(), secret }),
  }),
};
