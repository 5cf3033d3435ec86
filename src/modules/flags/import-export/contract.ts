import { contract as exportContract } from './export/contract.ts';
import { contract as importContract } from './import/contract.ts';

export const importExportContract = {
  ...exportContract,
  ...importContract,
};
