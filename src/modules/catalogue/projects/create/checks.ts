import type { Checks } from '../../../../platform/http/checked.ts';
import { projectFaults } from '../change/checks.ts';
import type { createContract } from './contract.ts';

export const checks = {
  createProject: projectFaults,
} satisfies Checks<typeof createContract>;
