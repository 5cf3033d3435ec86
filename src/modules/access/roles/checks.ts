import { checked } from '../../../platform/http/checked.ts';
import { contract } from './contract.ts';
import { permissionInputFaults } from './permission-input.ts';

export const endpoints = checked(contract, {
  createRole: ({ body }) => permissionInputFaults(body.permissions ?? [], body.type),
  updateRole: ({ body }) => permissionInputFaults(body.permissions ?? [], body.type),
});
