import type { Fault } from '../../../../../platform/errors.ts';
import type { Checks } from '../../../../../platform/http/checked.ts';
import type { contract } from './contract.ts';

const repeatedIds = (sortOrders: readonly { readonly id: string }[]): Fault[] => {
  const seen = new Set<string>();
  return sortOrders.flatMap(({ id }, index) => {
    const path = `/body/${index}/id`;
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path, message: `${path} names a strategy that is already in the list` }];
  });
};

export const checks = {
  setStrategySortOrder: ({ body }) => repeatedIds(body),
} satisfies Checks<typeof contract>;
