import type { Checks } from '../../../../platform/http/checked.ts';
import { passwordFaults } from '../passwords/policy.ts';
import type { userAdminContract } from './contract.ts';
import { signInNameFaults } from './sign-in-names.ts';

export const checks = {
  createUser: ({ body }) => [
    ...signInNameFaults(body),
    ...(body.password === undefined ? [] : passwordFaults(body.password, body, '/body/password')),
  ],
} satisfies Checks<typeof userAdminContract>;
