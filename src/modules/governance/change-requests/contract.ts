import { playgroundContract } from './playground/contract.ts';
import { previewContract } from './preview/contract.ts';
import { proposeContract } from './propose/contract.ts';
import { readContract } from './read/contract.ts';
import { reviewContract } from './review/contract.ts';
import { stateContract } from './state/contract.ts';

export const changeRequestContract = {
  ...readContract,
  ...proposeContract,
  ...reviewContract,
  ...stateContract,
  ...playgroundContract,
  ...previewContract,
};
