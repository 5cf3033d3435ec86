import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { PasswordSchema, PersonWishSchema } from '../user-schema.ts';

const tag = 'Users';
const path = '/api/admin/user-admin';
const permission = 'ADMIN';

/** Left out, it is not compared. */
const confirmPassword = Type.Optional(PasswordSchema);

export const passwordContract = {
  changeUserPassword: endpoint({
    method: 'POST',
    path: `${path}/:id/change-password`,
    id: 'changeUserPassword',
    tag,
    summary: 'Set the password of a person',
    description: 'Ends the sessions and the personal access tokens of the person.',
    permission,
    params: Type.Object({ id: Type.String() }),
    body: named(
      'passwordSchema',
      Type.Object({
        password: PasswordSchema,
        confirmPassword,
        keepPersonalTokens: Type.Optional(
          Type.Boolean({
            description: 'Personal access tokens stay valid; otherwise they end too',
          }),
        ),
      }),
    ),
  }),

  resetUserPassword: endpoint({
    method: 'POST',
    path: `${path}/reset-password`,
    id: 'resetUserPassword',
    tag,
    summary: 'Make a link by which a person sets a new password',
    description:
      'It is good once, for 24 hours, and is also sent to the person where mail is set up.',
    permission,
    body: named('idSchema', Type.Object({ id: PersonWishSchema })),
    response: named(
      'resetPasswordSchema',
      Type.Object({
        resetPasswordUrl: Type.String({ description: 'Shown only here' }),
        emailSent: Type.Boolean(),
      }),
    ),
  }),

  validateUserPassword: endpoint({
    method: 'POST',
    path: `${path}/validate-password`,
    id: 'validateUserPassword',
    tag,
    summary: 'Whether a password is good enough for anybody',
    permission: 'none',
    duringMaintenance: true,
    body: named('passwordSchema', Type.Object({ password: PasswordSchema })),
  }),
};
