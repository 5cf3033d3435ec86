import { sendReadyJson } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { pageJson, pageOf } from '../changes/page.ts';
import { listNotifications } from '../changes/queries.ts';
import { notificationsContract } from './contract.ts';
import { getReadState, markRead } from './service.ts';

export const notificationsUseCase = defineUseCase({
  contract: notificationsContract,
  routes: ({ readSnapshot, transact }) => ({
    listNotifications: async ({ query }, { actor, reply }) => {
      const page = pageOf(actor, query);
      const json = await readSnapshot(async (at) => {
        const rows = await listNotifications(at, page);
        const { unread, readUpTo } = await getReadState(at, actor);
        return `{${pageJson(rows, page.size)},"unread":${unread},"readUpTo":${readUpTo}}`;
      });
      return sendReadyJson(reply, json);
    },
    markNotificationsRead: ({ body }, { actor }) =>
      transact(actor, (tx) => markRead(tx, body.upTo)),
  }),
});
