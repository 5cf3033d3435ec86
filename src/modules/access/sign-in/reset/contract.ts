import { Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { EmailSchema, PasswordSchema as password } from '../../users/user-schema.ts';

const tag = 'Sign-in';
const path = '/auth/reset';

const secret = Type.String({
  maxLength: 200,
  writeOnly: true,
  description: 'The secret of the link',
});

export const resetContract = {
  sendResetLink: endpoint({
    method: 'POST',
    path: `${path}/password-email`,
    id: 'sendResetPasswordEmail',
    tag,
    summary: 'Request a link to reset a password',
    description:
      'The response does not reveal whether the address exists. Without a mail server, nothing is sent; an admin can create a link instead.',
    throttled: true,
    permission: 'public',
    bodyLimitBytes: 8 * 1024,
    body: named('emailSchema', Type.Object({ email: EmailSchema })),
  }),

  validateLink: endpoint({
    method: 'GET',
    path: `${path}/validate`,
    id: 'validateToken',
    secretInResponse: true,
    tag,
    summary: 'Get the user of a reset or invitation link',
    description: 'Returns 404 if the link is unknown, used, or expired.',
    permission: 'public',
    query: Type.Object({ token: secret }),
    response: named(
      'tokenUserSchema',
      Type.Object({
        id: Type.Integer(),
        name: Type.Optional(Type.String()),
        email: nullable(Type.String({ description: 'Null if the account has none' })),
        token: Type.String({ description: 'The secret of the link' }),
        createdBy: nullable(
          Type.String({ description: 'Name of who created the link; null if unknown' }),
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
    summary: 'Check a password against the policy',
    permission: 'public',
    duringMaintenance: true,
    bodyLimitBytes: 8 * 1024,
    body: named('validatePasswordSchema', Type.Object({ password })),
  }),

  setPassword: endpoint({
    method: 'POST',
    path: `${path}/password`,
    id: 'changePassword',
    tag,
    summary: 'Set a password through a reset link',
    description:
      'The link can be used once. Ends all sessions of the user and revokes their personal access tokens. Returns 404 if the link is unknown, used, or expired.',
    throttled: true,
    permission: 'public',
    bodyLimitBytes: 8 * 1024,
    body: named(
      'changePasswordSchema',
      Type.Object({
        token: secret,
        password,
        keepPersonalTokens: Type.Optional(
          Type.Boolean({
            description: 'Whether personal access tokens stay valid; by default they are revoked',
          }),
        ),
      }),
    ),
  }),
};
