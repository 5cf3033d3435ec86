import type { Checks } from '../../../platform/http/checked.ts';
import { previewFaults } from '../configuration/checks.ts';
import type { previewContract } from './contract.ts';

export const checks = { previewIntegration: previewFaults } satisfies Checks<
  typeof previewContract
>;
