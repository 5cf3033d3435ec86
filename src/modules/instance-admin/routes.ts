import { csvText, csvType } from '../../platform/csv.ts';
import type { Db } from '../../platform/db/database.ts';
import { defineUseCase } from '../../platform/module.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import { contract } from './contract.ts';
import { checks } from './insights/checks.ts';
import { insightsContract } from './insights/contract.ts';
import { getInstanceInsights } from './insights/insights.ts';
import { getLicensedUsers, getStatistics, rowOf } from './service.ts';
import { getInstanceState } from './state.ts';

export const instanceAdminUseCase = defineUseCase({
  contract: { ...contract, ...insightsContract },
  checks,
  routes: ({ db, readSnapshot, clock, settings: { baseUrl, dataDir } }) => {
    const oneAtATime = createSemaphore(1, {
      maxWaiting: 20,
      refusal: 'Too many concurrent requests for the statistics',
    });

    /** One at a time: they read months of the log and share connections with searches. */
    const inTurn = <Result>(read: (db: Db) => Promise<Result>): Promise<Result> =>
      oneAtATime.run(() => readSnapshot(read));

    const statistics = () => inTurn((db) => getStatistics(db, clock()));

    return {
      getInstanceState: () => getInstanceState(db, { now: clock(), dataDir }),
      getStatistics: statistics,

      getStatisticsCsv: async (_input, { reply }) => {
        const row = rowOf(await statistics());
        return reply
          .header('content-type', csvType)
          .header('content-disposition', 'attachment; filename="statistics.csv"')
          .send(csvText(Object.keys(row), [row]));
      },

      getInstanceInsights: ({ query }, { actor }) =>
        inTurn((db) => getInstanceInsights(db, { actor, baseUrl, now: clock() }, query)),
      getLicensedUsers: () => inTurn((db) => getLicensedUsers(db, clock())),
    };
  },
});
