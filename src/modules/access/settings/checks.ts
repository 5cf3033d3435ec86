import type { Checks } from '../../../platform/http/checked.ts';
import type { contract } from './contract.ts';
import { originFaults } from './origins.ts';

export const checks = {
  setCors: ({ body }) => originFaults(body.frontendApiOrigins ?? [], '/body/frontendApiOrigins'),
  setUiConfig: ({ body }) =>
    originFaults(
      body.frontendSettings?.frontendApiOrigins ?? [],
      '/body/frontendSettings/frontendApiOrigins',
    ),
} satisfies Checks<typeof contract>;
