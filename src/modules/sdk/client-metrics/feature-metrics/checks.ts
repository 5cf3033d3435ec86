import type { Checks } from '../../../../platform/http/checked.ts';
import { type featureMetricsContract, maxHoursBack } from './contract.ts';

export const checks = {
  listFeatureUsage: ({ query: { hoursBack } }) =>
    hoursBack === undefined ||
    (/^\d{1,5}$/.test(hoursBack) && Number(hoursBack) >= 1 && Number(hoursBack) <= maxHoursBack)
      ? []
      : [
          {
            path: '/query/hoursBack',
            message: `/query/hoursBack must be a whole number from 1 to ${maxHoursBack}`,
          },
        ],
} satisfies Checks<typeof featureMetricsContract>;
