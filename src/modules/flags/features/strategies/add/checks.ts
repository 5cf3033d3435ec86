import type { Checks } from '../../../../../platform/http/checked.ts';
import { inputFaults } from '../input.ts';
import type { contract } from './contract.ts';

export const checks = {
  addFeatureStrategy: ({ body }) => inputFaults(body),
} satisfies Checks<typeof contract>;
