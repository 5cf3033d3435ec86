import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { PasswordSchema } from '../../users/user-schema.ts';

export const ownPasswordContract = {
  changeMyPassword: endpoint({
    method: 'POST',
    path: '/api/admin/user/change-password',
    id: 'changeMyPassword',
    tag: 'Users',
    summary: 'Change your own password',
    description: 'Ends all your other sessions.',
    throttled: true,
    permission: 'none',
    limitedPerAccount: true,
    body: named(
      'passwordSchema',
      Type.Object({
        password: PasswordSchema,
        confirmPassword: Type.Optional(PasswordSchema),
        oldPassword: PasswordSchema,
      }),
    ),
  }),
};
