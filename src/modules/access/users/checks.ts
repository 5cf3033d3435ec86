import { checked } from '../../../platform/http/checked.ts';
import { passwordContract } from './contract/passwords.ts';
import { peopleContract } from './contract/people.ts';
import { signInNameFaults } from './identity.ts';
import { passwordFaults } from './password-policy.ts';

/** A second spelling that is not the first: somebody mistyped one of them. */
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

export const peopleEndpoints = checked(peopleContract, {
  createUser: ({ body }) => [
    ...signInNameFaults(body),
    ...(body.password === undefined ? [] : passwordFaults(body.password, body, '/body/password')),
  ],
});

export const passwordEndpoints = checked(passwordContract, {
  changeUserPassword: ({ body }) => confirmationFaults(body),
  validateUserPassword: ({ body }) =>
    body.password === undefined ? [] : passwordFaults(body.password, {}, '/body/password'),
});
