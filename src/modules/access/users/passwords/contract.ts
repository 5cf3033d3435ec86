import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { PasswordSchema, PersonIdOrLoginSchema } from '../user-schema.ts';

const tag = 'Users';
const path = '/api/admin/user-admin';
const permission = 'ADMIN';

/** Not compared if absent. */
const confirmPassword = Type.Optional(PasswordSchema);

export const passwordContract = {
  changeUserPassword: endpoint({
    method: 'POST',
    path: `${path}/:id/change-password`,
    id: 'changeUserPassword',
    tag,
    summary: "Set a user's password",
    description: 'Ends all sessions of the user and revokes their personal access tokens.',
    permission,
    params: Type.Object({ id: Type.String() }),
    body: named(
      'passwordSchema',
      Type.Object({
        password: PasswordSchema,
        confirmPassword,
        keepPersonalTokens: Type.Optional(
          Type.Boolean({
            description: 'Whether personal access tokens stay valid; by default they are revoked',
          }),
        ),
      }),
    ),
  }),

  resetUserPassword: endpoint({
    method: 'POST',
    path: `${path}/reset-password`,
    id: 'resetUserPassword',
    secretInResponse: true,
    tag,
    summary: 'Create a password reset link for a user',
    description:
      'The link can be used once, within 24 hours. If a mail server is configured, it is also sent to the user.',
    permission,
    body: named('idSchema', Type.Object({ id: PersonIdOrLoginSchema })),
    response: named(
      'resetPasswordSchema',
      Type.Object({
        resetPasswordUrl: Type.String({ description: 'Returned only here' }),
        emailSent: Type.Boolean(),
      }),
    ),
  }),

  validateUserPassword: endpoint({
    method: 'POST',
    path: `${path}/validate-password`,
    id: 'validateUserPassword',
    tag,
    summary: 'Check a password against the policy',
    permission: 'none',
    duringMaintenance: true,
    body: named('passwordSchema', Type.Object({ password: PasswordSchema })),
  }),
};
