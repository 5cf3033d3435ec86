import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { instant, named, nameText } from '../../../platform/contract/schema.ts';

const tag = 'Personal access tokens';
const path = '/api/admin/user/tokens';

export const CreatePersonalTokenSchema = named(
  'createPatSchema',
  Type.Object({
    description: nameText({
      maxLength: 255,
      description: 'Purpose of the token; unique among your tokens',
    }),
    expiresAt: nullable(
      Type.String({
        format: 'date-time',
        maxLength: 64,
        description: 'Expiry time; null if it never expires',
      }),
    ),
  }),
);
export type CreatePersonalToken = Static<typeof CreatePersonalTokenSchema>;

export const PersonalTokenSchema = named(
  'patSchema',
  Type.Object({
    id: Type.Integer(),
    description: Type.String(),
    userId: Type.Integer(),
    expiresAt: nullable(instant),
    createdAt: instant,
    seenAt: nullable(instant),
  }),
);
export type PersonalToken = Static<typeof PersonalTokenSchema>;

/** The only response with the secret, for the creator. */
export const CreatedPersonalTokenSchema = named(
  'patSchema',
  Type.Object({
    ...PersonalTokenSchema.properties,
    secret: Type.String({ description: 'Shown only once' }),
  }),
);
export type CreatedPersonalToken = Static<typeof CreatedPersonalTokenSchema>;

export const PersonalTokensSchema = named(
  'patsSchema',
  Type.Object({ pats: Type.Array(PersonalTokenSchema) }),
);

/** The reason for 409 wherever a token is created. */
export const conflict = 'the account has a token with this description';

export const contract = {
  listPersonalTokens: endpoint({
    method: 'GET',
    path,
    id: 'getPats',
    tag,
    summary: 'List your personal access tokens',
    permission: 'none',
    response: PersonalTokensSchema,
  }),

  createPersonalToken: endpoint({
    method: 'POST',
    path,
    id: 'createPat',
    secretInResponse: true,
    conflict,
    tag,
    summary: 'Create a personal access token',
    description:
      'The token has all permissions of the account. An account can have at most ten tokens. The secret is returned only here.',
    permission: 'none',
    limitedPerAccount: true,
    body: CreatePersonalTokenSchema,
    response: CreatedPersonalTokenSchema,
    status: 201,
  }),

  deletePersonalToken: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    id: 'deletePat',
    tag,
    summary: 'Revoke one of your personal access tokens',
    permission: 'none',
    limitedPerAccount: true,
    params: Type.Object({ id: Type.String() }),
  }),
};
