import type { Checks } from '../../../../platform/http/checked.ts';
import type { passwordContract } from './contract.ts';
import { passwordFaults } from './policy.ts';

/** The password and its confirmation must be equal. */
export const confirmationFaults = ({
  password,
  confirmPassword: again,
}: {
  readonly password?: string;
  readonly confirmPassword?: string;
}) =>
  again === undefined || password === undefined || again === password
    ? []
    : [
        {
          path: '/body/confirmPassword',
          message: '/body/confirmPassword must be the same as /body/password',
        },
      ];

export const checks = {
  changeUserPassword: ({ body }) => confirmationFaults(body),
  validateUserPassword: ({ body }) =>
    body.password === undefined ? [] : passwordFaults(body.password, {}, '/body/password'),
} satisfies Checks<typeof passwordContract>;
