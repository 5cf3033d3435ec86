import type { FastifyInstance } from 'fastify';
import { csvText, csvType, wantsCsv } from '../../../platform/csv.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { accessColumns, contract } from './contract.ts';
import { getGroup, listAccessOverview, listGroups } from './read.ts';
import { changeGroup, createGroup, removeGroup } from './service.ts';

const groupIdOf = ({ groupId }: { readonly groupId: string }) => pathId('group', groupId);

export function groupRoutes(
  app: FastifyInstance,
  { db, transact, settings: { baseUrl } }: Services,
): void {
  route(app, contract.listGroups, async () => ({ groups: await listGroups(db, baseUrl) }));

  route(app, contract.createGroup, ({ body }, { actor }) =>
    transact(actor, async (tx) => getGroup(tx.db, await createGroup(tx, body), baseUrl)),
  );

  route(app, contract.getGroup, ({ params }) => getGroup(db, groupIdOf(params), baseUrl));

  route(app, contract.updateGroup, ({ params, body }, { actor }) => {
    const id = groupIdOf(params);
    return transact(actor, async (tx) => {
      await changeGroup(tx, id, body);
      return getGroup(tx.db, id, baseUrl);
    });
  });

  route(app, contract.deleteGroup, ({ params }, { actor }) =>
    transact(actor, (tx) => removeGroup(tx, groupIdOf(params))),
  );

  route(app, contract.getAccessOverview, async (_input, { request, reply }) => {
    const overview = await listAccessOverview(db);
    if (!wantsCsv(request.headers.accept)) return { overview };
    return reply.header('content-type', csvType).send(csvText(accessColumns, overview));
  });
}
