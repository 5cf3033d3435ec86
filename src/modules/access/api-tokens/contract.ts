import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { instant, named, oneOf } from '../../../platform/contract/schema.ts';

const tag = 'API tokens';
const path = '/api/admin/api-tokens';
const ofProject = '/api/admin/projects/:projectId/api-tokens';
const scope = 'projectId';

const tokenTypes = ['client', 'frontend', 'admin'] as const;
export type TokenType = (typeof tokenTypes)[number];

const inAnyCase = (word: string) => word.replace(/[a-z]/g, (x) => `[${x}${x.toUpperCase()}]`);

const type = Type.String({
  pattern: `^(?:${tokenTypes.map(inAnyCase).join('|')})$`,
  description: 'client, frontend or admin, in any case',
  'x-fault': `must be ${tokenTypes.join(', ')}`,
});

/** What a new token is for; the schema has seen that it is one of the three. */
export const typeOf = (text: string): TokenType => text.toLowerCase() as TokenType;

const expiresAt = nullable(
  Type.String({ format: 'date-time', maxLength: 64, description: 'When it ends; null: never' }),
);
const nameOfToken = Type.String({ minLength: 1, maxLength: 255 });
const nameOfProject = Type.String({ minLength: 1, maxLength: 100 });

const CreateTokenSchema = named(
  'createApiTokenSchema',
  Type.Object({
    tokenName: Type.Optional(Type.String({ ...nameOfToken, description: 'Need not be unique' })),
    username: Type.Optional(
      Type.String({ ...nameOfToken, description: 'Former name of tokenName', deprecated: true }),
    ),
    type,
    environment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Left out: development, or the first that there is',
      }),
    ),
    project: Type.Optional(
      Type.String({ ...nameOfProject, description: 'Left out, like projects: all of them' }),
    ),
    projects: Type.Optional(
      Type.Array(nameOfProject, {
        maxItems: 1000,
        uniqueItems: true,
        description: 'Empty: as if it were left out',
      }),
    ),
    expiresAt: Type.Optional(expiresAt),
    alias: Type.Optional(
      nullable(
        Type.String({ maxLength: 255, description: 'Kept for SDK proxies; nothing reads it' }),
      ),
    ),
  }),
);
export type CreateToken = Static<typeof CreateTokenSchema>;

const ApiTokenSchema = named(
  'apiTokenSchema',
  Type.Object({
    id: Type.Integer({ description: 'Names the token in addresses, as its secret does' }),
    secret: Type.String({
      description:
        'Whole in the answer that creates it; in lists for those who may create such a token, masked for others. Masked for all: of admin tokens, and where no key is set under which it could be stored',
    }),
    tokenName: Type.String(),
    username: Type.String({ deprecated: true }),
    type: oneOf(tokenTypes),
    environment: Type.String({ description: '* for admin tokens' }),
    project: Type.String({ description: 'All of projects, joined by commas', deprecated: true }),
    projects: Type.Array(Type.String(), { description: '* for all' }),
    alias: nullable(Type.String()),
    expiresAt: nullable(instant),
    createdAt: instant,
    seenAt: nullable(instant),
  }),
);
export type ApiToken = Static<typeof ApiTokenSchema>;

const ApiTokensSchema = named(
  'apiTokensSchema',
  Type.Object({ tokens: Type.Array(ApiTokenSchema) }),
);

/** Of a token: its secret, or the id under which it is listed. */
const secret = Type.String({
  writeOnly: true,
  description: 'The whole secret of the token, or its id',
});

/** One of them opens the door; the service demands the one for the type of the token at hand. */
const any = (action: 'READ' | 'CREATE' | 'UPDATE' | 'DELETE') =>
  ['ADMIN', `${action}_CLIENT_API_TOKEN`, `${action}_FRONTEND_API_TOKEN`] as const;

export const contract = {
  listApiTokens: endpoint({
    method: 'GET',
    path,
    id: 'getAllApiTokens',
    tag,
    summary: 'All API tokens of the types that you may read, the oldest first',
    description:
      'Secrets of client and frontend tokens are shown to those who may create such a token, and masked for others. ' +
      'Of tokens for protected and private projects you are shown those for which you have ' +
      'READ_PROJECT_API_TOKEN in each of these; admin tokens, and those for all projects, are shown to administrators only.',
    permission: any('READ'),
    response: ApiTokensSchema,
  }),

  listApiTokensByName: endpoint({
    method: 'GET',
    path: `${path}/:name`,
    id: 'getApiTokensByName',
    tag,
    summary: 'The API tokens of a name, which several can have',
    permission: any('READ'),
    params: Type.Object({ name: Type.String() }),
    response: ApiTokensSchema,
  }),

  createApiToken: endpoint({
    method: 'POST',
    path,
    id: 'createApiToken',
    tag,
    summary: 'Create an API token; of an admin token only this answer shows the secret',
    description:
      'Admin tokens, and tokens for all projects, are made by administrators. Others need the permission for the ' +
      'type, and in each protected or private project that they name CREATE_PROJECT_API_TOKEN.',
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
    summary: 'Change when an API token ends',
    description:
      'In each protected or private project of the token you need CREATE_PROJECT_API_TOKEN and DELETE_PROJECT_API_TOKEN, too.',
    permission: any('UPDATE'),
    params: Type.Object({ secret }),
    body: named('updateApiTokenSchema', Type.Object({ expiresAt })),
  }),

  deleteApiToken: endpoint({
    method: 'DELETE',
    path: `${path}/:secret`,
    id: 'deleteApiToken',
    tag,
    summary: 'Revoke an API token, at once and for good',
    description:
      'In each protected or private project of the token you need DELETE_PROJECT_API_TOKEN, too.',
    permission: any('DELETE'),
    params: Type.Object({ secret }),
  }),

  listProjectApiTokens: endpoint({
    method: 'GET',
    path: ofProject,
    id: 'getProjectApiTokens',
    tag,
    summary: 'The API tokens that name a project, the oldest first',
    description: 'Of the other projects of a token those are shown that you see.',
    permission: 'READ_PROJECT_API_TOKEN',
    scope,
    params: Type.Object({ projectId: Type.String() }),
    response: ApiTokensSchema,
  }),

  createProjectApiToken: endpoint({
    method: 'POST',
    path: ofProject,
    id: 'createProjectApiToken',
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
    summary: 'Revoke an API token that is for this project alone',
    permission: 'DELETE_PROJECT_API_TOKEN',
    scope,
    params: Type.Object({ projectId: Type.String(), secret }),
  }),
};
