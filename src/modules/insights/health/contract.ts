import { insightsContract } from './insights/contract.ts';
import { reportContract } from './report/contract.ts';
import { reviewContract } from './reviews/contract.ts';
import { statusContract } from './status/contract.ts';

export const healthContract = {
  ...reportContract,
  ...statusContract,
  ...insightsContract,
  ...reviewContract,
};
