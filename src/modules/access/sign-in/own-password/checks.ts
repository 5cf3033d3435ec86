import { checked } from '../../../../platform/http/checked.ts';
import { confirmationFaults } from '../../users/index.ts';
import { ownPasswordContract } from './contract.ts';

export const ownPasswordEndpoints = checked(ownPasswordContract, {
  changeMyPassword: ({ body }) => confirmationFaults(body),
});
