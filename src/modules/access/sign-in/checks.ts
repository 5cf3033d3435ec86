import { checked } from '../../../platform/http/checked.ts';
import { confirmationFaults, passwordFaults } from '../users/index.ts';
import { ownPasswordContract } from './contract/own-password.ts';
import { resetContract } from './contract/reset.ts';

export const resetEndpoints = checked(resetContract, {
  validatePassword: ({ body }) =>
    body.password === undefined ? [] : passwordFaults(body.password, {}, '/body/password'),
});

export const ownPasswordEndpoints = checked(ownPasswordContract, {
  changeMyPassword: ({ body }) => confirmationFaults(body),
});
