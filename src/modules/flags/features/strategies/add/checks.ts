import { checked } from '../../../../../platform/http/checked.ts';
import { inputFaults } from '../input.ts';
import { contract } from './contract.ts';

export const endpoints = checked(contract, {
  addFeatureStrategy: ({ body }) => inputFaults(body),
});
