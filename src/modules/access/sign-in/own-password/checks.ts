import type { Checks } from '../../../../platform/http/checked.ts';
import { confirmationFaults } from '../../users/index.ts';
import type { ownPasswordContract } from './contract.ts';

export const checks = {
  changeMyPassword: ({ body }) => confirmationFaults(body),
} satisfies Checks<typeof ownPasswordContract>;
