import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import { parseInstant } from '../moment.ts';
import type { ClientMetrics, reportContract } from './contract.ts';

const unreadable = (path: string, value: string | number | undefined): Fault[] =>
  value === undefined || parseInstant(value) !== undefined
    ? []
    : [{ path, message: `${path} must be an RFC 3339 instant, or milliseconds since 1970` }];

/** Faults that the schema cannot express: invalid instants. */
export const metricsFaults = ({ body }: { body: Partial<ClientMetrics> }): Fault[] => [
  ...unreadable('/body/bucket/start', body.bucket?.start),
  ...unreadable('/body/bucket/stop', body.bucket?.stop),
];

export const checks = {
  addMetrics: metricsFaults,
  addInBulk: ({ body }) =>
    (body.metrics ?? []).flatMap(({ timestamp }, index) =>
      unreadable(`/body/metrics/${index}/timestamp`, timestamp),
    ),
} satisfies Checks<typeof reportContract>;
