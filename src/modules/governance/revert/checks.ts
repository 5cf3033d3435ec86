import type { Checks } from '../../../platform/http/checked.ts';
import type { revertContract } from './contract.ts';

export const checks = {
  revertEvents: ({ body }) => {
    const { eventIds, requestId, from, to, project, environment } = body;
    const ways = [eventIds, requestId, from ?? to].filter((each) => each !== undefined);
    if (ways.length !== 1) {
      return [
        {
          path: '/body',
          message: '/body must have exactly one of eventIds, requestId, or from with to',
        },
      ];
    }
    const isRange = from !== undefined && to !== undefined;
    if ((from ?? to) !== undefined && !isRange) {
      return [{ path: '/body', message: '/body must have both from and to' }];
    }
    const filter = project !== undefined ? 'project' : 'environment';
    return (project ?? environment) !== undefined && !isRange
      ? [{ path: `/body/${filter}`, message: `/body/${filter} needs from and to` }]
      : [];
  },
} satisfies Checks<typeof revertContract>;
