import { Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { EmailSchema, PasswordSchema as password } from '../../users/user-schema.ts';

const tag = 'Sign-in';
const path = '/auth/reset';

const secret = Type.String({ maxLength: 200, writeOnly: true, description: 'Of the link' });

export const resetContract = {
  sendResetLink: endpoint({
    method: 'POST',
    path: `${path}/password-email`,
    id: 'sendResetPasswordEmail',
    tag,
    summary: 'Ask for a link to a new password',
    description:
      'The answer is the same whether somebody has this address or not. Without mail set up nothing is sent: an administrator can make a link.',
    throttled: true,
    permission: 'public',
    body: named('emailSchema', Type.Object({ email: EmailSchema })),
  }),

  validateLink: endpoint({
    method: 'GET',
    path: `${path}/validate`,
    id: 'validateToken',
    tag,
    summary: 'Whom a link to a new password, or an invitation, is for',
    description: '404 when it is unknown, used or over.',
    permission: 'public',
    query: Type.Object({ token: secret }),
    response: named(
      'tokenUserSchema',
      Type.Object({
        id: Type.Integer(),
        name: Type.Optional(Type.String()),
        email: nullable(Type.String({ description: 'Null: the account has none' })),
        token: Type.String({ description: 'The secret that was sent' }),
        createdBy: nullable(
          Type.String({ description: 'Who made the link; null: they are not known any more' }),
        ),
        username: Type.Optional(Type.String()),
        rootRole: Type.Integer(),
        role: Type.Object({
          id: Type.Integer(),
          name: Type.String(),
          type: Type.String(),
          description: Type.String(),
        }),
      }),
    ),
  }),

  validatePassword: endpoint({
    method: 'POST',
    path: `${path}/validate-password`,
    id: 'validatePassword',
    tag,
    summary: 'Whether a password is good enough; 400 says what is wrong with it',
    permission: 'public',
    duringMaintenance: true,
    body: named('validatePasswordSchema', Type.Object({ password })),
  }),

  setPassword: endpoint({
    method: 'POST',
    path: `${path}/password`,
    id: 'changePassword',
    tag,
    summary: 'Set a password through a link, which can be used once',
    description:
      'Ends all sessions and personal access tokens of the person. 404 when the link is unknown, used or over.',
    throttled: true,
    permission: 'public',
    body: named(
      'changePasswordSchema',
      Type.Object({
        token: secret,
        password,
        keepPersonalTokens: Type.Optional(
          Type.Boolean({
            description: 'Personal access tokens stay valid; otherwise they end too',
          }),
        ),
      }),
    ),
  }),
};
