import type { FastifyInstance } from 'fastify';
import { csvText, csvType } from '../../platform/csv.ts';
import { route } from '../../platform/http/endpoint.ts';
import type { Services } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { insightsContract } from './insights/contract.ts';
import { getInstanceInsights } from './insights/insights.ts';
import { getLicensedUsers, getStatistics, rowOf } from './service.ts';

export function instanceAdminRoutes(
  app: FastifyInstance,
  { readSnapshot, clock, settings: { baseUrl } }: Services,
): void {
  const statistics = () => readSnapshot((db) => getStatistics(db, clock()));

  route(app, contract.getStatistics, statistics);

  route(app, contract.getStatisticsCsv, async (_input, { reply }) => {
    const row = rowOf(await statistics());
    return reply
      .header('content-type', csvType)
      .header('content-disposition', 'attachment; filename="statistics.csv"')
      .send(csvText(Object.keys(row), [row]));
  });

  route(app, insightsContract.getInstanceInsights, ({ query }, { actor }) =>
    readSnapshot((db) => getInstanceInsights(db, { actor, baseUrl, now: clock() }, query)),
  );

  route(app, contract.getLicensedUsers, () => readSnapshot((db) => getLicensedUsers(db, clock())));
}
