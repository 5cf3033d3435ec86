import { endFaults } from '../../../../platform/expiry.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import type { readContract } from './contract.ts';

export const checks = {
  getCalendar: ({ query: { from, to } }) => [
    ...endFaults(from, '/query/from'),
    ...endFaults(to, '/query/to'),
  ],
} satisfies Checks<typeof readContract>;
