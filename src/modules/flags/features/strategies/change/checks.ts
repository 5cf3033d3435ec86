import { checked } from '../../../../../platform/http/checked.ts';
import { patchFaults } from '../../../../../platform/http/json-patch.ts';
import type { SetStrategy } from '../../../../catalogue/strategy-types/index.ts';
import { inputFaults } from '../input.ts';
import { contract } from './contract.ts';

export const endpoints = checked(contract, {
  updateFeatureStrategy: ({ body }) => inputFaults(body as Partial<SetStrategy>),
  patchFeatureStrategy: ({ body }) => patchFaults(body),
});
