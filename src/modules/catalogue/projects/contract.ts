import { archiveContract } from './archive/contract.ts';
import { changeContract } from './change/contract.ts';
import { changeRequestContract } from './change-requests/contract.ts';
import { createContract } from './create/contract.ts';
import { deleteContract } from './delete/contract.ts';
import { environmentContract } from './environments/contract.ts';
import { favoriteContract } from './favorites/contract.ts';
import { listContract } from './list/contract.ts';
import { overviewContract } from './overview/contract.ts';

export const projectContract = {
  ...listContract,
  ...createContract,
  ...changeContract,
  ...deleteContract,
  ...archiveContract,
  ...environmentContract,
  ...changeRequestContract,
  ...favoriteContract,
  ...overviewContract,
};
