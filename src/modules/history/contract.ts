import { differenceContract } from './difference/contract.ts';
import { incidentContract } from './incident/contract.ts';

export const historyContract = { ...differenceContract, ...incidentContract };
