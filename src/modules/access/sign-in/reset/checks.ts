import { checked } from '../../../../platform/http/checked.ts';
import { passwordFaults } from '../../users/index.ts';
import { resetContract } from './contract.ts';

export const resetEndpoints = checked(resetContract, {
  validatePassword: ({ body }) =>
    body.password === undefined ? [] : passwordFaults(body.password, {}, '/body/password'),
});
