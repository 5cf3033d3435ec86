import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import { isDay } from '../days.ts';
import type { historyContract } from './contract.ts';

const dayFaults = ({ query }: { query: { from?: string; to?: string } }): Fault[] =>
  (['from', 'to'] as const).flatMap((name) => {
    const text = query[name];
    if (text === undefined || isDay(text)) return [];
    const path = `/query/${name}`;
    return [{ path, message: `${path} isn't a valid date: ${text}` }];
  });

export const checks = {
  getHealthHistory: dayFaults,
} satisfies Checks<typeof historyContract>;
