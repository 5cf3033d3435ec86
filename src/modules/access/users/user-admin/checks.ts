import { checked } from '../../../../platform/http/checked.ts';
import { passwordFaults } from '../passwords/policy.ts';
import { userAdminContract } from './contract.ts';
import { signInNameFaults } from './sign-in-names.ts';

export const userAdminEndpoints = checked(userAdminContract, {
  createUser: ({ body }) => [
    ...signInNameFaults(body),
    ...(body.password === undefined ? [] : passwordFaults(body.password, body, '/body/password')),
  ],
});
