import { budgetContract } from './budget/contract.ts';
import { historyContract } from './history/contract.ts';

export const healthHistoryContract = {
  ...historyContract,
  ...budgetContract,
};
