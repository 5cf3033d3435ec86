import type { Checks } from '../../../platform/http/checked.ts';
import type { contract } from './contract.ts';
import { permissionInputFaults } from './permission-input.ts';

export const checks = {
  createRole: ({ body }) => permissionInputFaults(body.permissions ?? [], body.type),
  updateRole: ({ body }) => permissionInputFaults(body.permissions ?? [], body.type),
} satisfies Checks<typeof contract>;
