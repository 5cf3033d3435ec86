import type { Fault } from '../../../platform/errors.ts';
import { checked } from '../../../platform/http/checked.ts';
import { applicationContract } from './contract/applications.ts';
import { featureUsageContract, maxHoursBack } from './contract/feature-usage.ts';
import { type ClientMetrics, reportContract } from './contract/report.ts';
import { momentOf } from './moment.ts';
import { parsePaging } from './paging.ts';

const readPaging = ({ query }: { query: { limit?: string; offset?: string } }) =>
  parsePaging(query);

const unreadable = (path: string, value: string | number | undefined): Fault[] =>
  value === undefined || momentOf(value) !== undefined
    ? []
    : [{ path, message: `${path} must be an RFC 3339 instant, or milliseconds since 1970` }];

/** What the schema cannot say of metrics: instants that are none. */
export const metricsFaults = ({ body }: { body: Partial<ClientMetrics> }): Fault[] => [
  ...unreadable('/body/bucket/start', body.bucket?.start),
  ...unreadable('/body/bucket/stop', body.bucket?.stop),
];

export const applicationEndpoints = checked(applicationContract, {
  searchApplications: readPaging,
  searchProjectApplications: readPaging,
});

export const reportEndpoints = checked(reportContract, {
  addMetrics: metricsFaults,
  addInBulk: ({ body }) =>
    (body.metrics ?? []).flatMap(({ timestamp }, index) =>
      unreadable(`/body/metrics/${index}/timestamp`, timestamp),
    ),
});

export const featureUsageEndpoints = checked(featureUsageContract, {
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
});
