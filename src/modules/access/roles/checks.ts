import { checked } from '../../../platform/http/checked.ts';
import { contract } from './contract.ts';
import { wishFaults } from './permission-input.ts';

export const endpoints = checked(contract, {
  createRole: ({ body }) => wishFaults(body.permissions ?? [], body.type),
  updateRole: ({ body }) => wishFaults(body.permissions ?? [], body.type),
});
