import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { instant, named, nameText } from '../../../../platform/contract/schema.ts';
import {
  EmailSchema,
  PasswordSchema,
  PersonNameSchema,
  UsernameSchema,
  UserSchema,
} from '../../users/user-schema.ts';

const tag = 'Invite links';
const path = '/api/admin/invite-link/tokens';

const shown = 'Complete only in the response that creates the link';

const RoleSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.String(),
  description: Type.String(),
});

const InviteLinkSchema = named(
  'publicSignupTokenSchema',
  Type.Object({
    id: Type.Integer(),
    secret: Type.String({ description: shown }),
    url: nullable(
      Type.String({ description: `URL of the sign-up page; null afterwards. ${shown}` }),
    ),
    name: Type.String(),
    enabled: Type.Boolean(),
    expiresAt: instant,
    createdAt: instant,
    createdBy: Type.String(),
    role: RoleSchema,
    users: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.Optional(Type.String()),
        username: Type.Optional(Type.String()),
        email: Type.Optional(Type.String()),
      }),
      { description: 'Users who signed up with the link' },
    ),
  }),
);
export type InviteLink = Static<typeof InviteLinkSchema>;

const name = nameText({ maxLength: 255, description: 'Purpose of the link' });
const expiresAt = Type.String({ format: 'date-time', description: 'At most one month from now' });

const CreateInviteLinkSchema = named(
  'publicSignupTokenCreateSchema',
  Type.Object({ name, expiresAt }),
);
export type CreateInviteLink = Static<typeof CreateInviteLinkSchema>;

const InviteLinkChangeSchema = named(
  'publicSignupTokenUpdateSchema',
  Type.Object({
    expiresAt: Type.Optional(expiresAt),
    enabled: Type.Optional(Type.Boolean()),
  }),
);
export type InviteLinkChange = Static<typeof InviteLinkChangeSchema>;

const SignUpSchema = named(
  'createInvitedUserSchema',
  Type.Object({
    username: Type.Optional(UsernameSchema),
    email: EmailSchema,
    name: PersonNameSchema,
    password: PasswordSchema,
  }),
);
export type SignUp = Static<typeof SignUpSchema>;

const params = Type.Object({
  token: Type.String({ writeOnly: true, description: 'The secret or the ID' }),
});
const publicParams = Type.Object({
  token: Type.String({ writeOnly: true, description: 'The secret' }),
});

export const inviteLinkContract = {
  listInviteLinks: endpoint({
    method: 'GET',
    path,
    id: 'getAllPublicSignupTokens',
    secretInResponse: true,
    tag,
    summary: 'List invite links, newest first',
    permission: 'ADMIN',
    response: named(
      'publicSignupTokensSchema',
      Type.Object({ tokens: Type.Array(InviteLinkSchema) }),
    ),
  }),

  createInviteLink: endpoint({
    method: 'POST',
    path,
    id: 'createPublicSignupToken',
    secretInResponse: true,
    tag,
    summary: 'Create an invite link',
    permission: 'ADMIN',
    body: CreateInviteLinkSchema,
    response: InviteLinkSchema,
    status: 201,
  }),

  getInviteLink: endpoint({
    method: 'GET',
    path: `${path}/:token`,
    id: 'getPublicSignupToken',
    secretInResponse: true,
    tag,
    summary: 'Get an invite link with its users',
    permission: 'ADMIN',
    params,
    response: InviteLinkSchema,
  }),

  changeInviteLink: endpoint({
    method: 'PUT',
    path: `${path}/:token`,
    id: 'updatePublicSignupToken',
    secretInResponse: true,
    tag,
    summary: 'Enable or disable an invite link, or change its expiry',
    permission: 'ADMIN',
    params,
    body: InviteLinkChangeSchema,
    response: InviteLinkSchema,
  }),

  validateInviteLink: endpoint({
    method: 'GET',
    path: '/invite/:token/validate',
    id: 'validatePublicSignupToken',
    tag,
    summary: 'Check whether an invite link is valid',
    permission: 'public',
    params: publicParams,
  }),

  signUp: endpoint({
    method: 'POST',
    path: '/invite/:token/signup',
    id: 'addPublicSignupTokenUser',
    conflict: 'the username or email address is taken',
    tag,
    summary: 'Sign up with an invite link',
    throttled: true,
    permission: 'public',
    bodyLimitBytes: 16 * 1024,
    params: publicParams,
    body: SignUpSchema,
    response: UserSchema,
    status: 201,
  }),
};
