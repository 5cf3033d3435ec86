import { checked } from '../../../platform/http/checked.ts';
import { contract } from './contract.ts';
import { originFaults } from './origins.ts';

export const endpoints = checked(contract, {
  setCors: ({ body }) => originFaults(body.frontendApiOrigins ?? [], '/body/frontendApiOrigins'),
  setUiConfig: ({ body }) =>
    originFaults(
      body.frontendSettings?.frontendApiOrigins ?? [],
      '/body/frontendSettings/frontendApiOrigins',
    ),
});
