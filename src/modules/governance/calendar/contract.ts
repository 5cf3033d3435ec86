import { readContract } from './read/contract.ts';
import { tokensContract } from './tokens/contract.ts';

export const calendarContract = { ...readContract, ...tokensContract };
