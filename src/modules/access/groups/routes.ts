import { csvText, csvType, wantsCsv } from '../../../platform/csv.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { accessColumns, contract } from './contract.ts';
import { getGroup, listAccessOverview, listGroups } from './read.ts';
import { changeGroup, createGroup, removeGroup } from './service.ts';

const groupIdOf = ({ groupId }: { readonly groupId: string }) => pathId('group', groupId);

export const groupUseCase = defineUseCase({
  contract,
  routes: ({ db, readAt, transact, runHook, settings: { baseUrl } }) => ({
    listGroups: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { groups: await listGroups(at.db, baseUrl) };
    },

    createGroup: ({ body }, { actor }) =>
      transact(actor, async (tx) => getGroup(tx.db, await createGroup(tx, body), baseUrl)),

    getGroup: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return getGroup(at.db, groupIdOf(params), baseUrl);
    },

    updateGroup: ({ params, body }, { actor }) => {
      const id = groupIdOf(params);
      return transact(actor, async (tx) => {
        await changeGroup(tx, id, body);
        return getGroup(tx.db, id, baseUrl);
      });
    },

    deleteGroup: ({ params }, { actor }) =>
      transact(actor, (tx) => removeGroup(tx, groupIdOf(params), runHook)),

    getAccessOverview: async (_input, { request, reply }) => {
      const overview = await listAccessOverview(db);
      if (!wantsCsv(request.headers.accept)) return { overview };
      return reply.header('content-type', csvType).send(csvText(accessColumns, overview));
    },
  }),
});
