import type { Checks } from '../../../../../platform/http/checked.ts';
import { patchFaults } from '../../../../../platform/http/json-patch.ts';
import type { SetStrategy } from '../../../../catalogue/strategy-types/index.ts';
import { inputFaults } from '../input.ts';
import type { contract } from './contract.ts';

export const checks = {
  updateFeatureStrategy: ({ body }) => inputFaults(body as Partial<SetStrategy>),
  patchFeatureStrategy: ({ body }) => patchFaults(body),
} satisfies Checks<typeof contract>;
