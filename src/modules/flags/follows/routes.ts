import type { Actor } from '../../../platform/actor.ts';
import { sendReadyJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { requireAccount } from '../../access/users/index.ts';
import { defaultLimit } from './changes/contract.ts';
import { type ChangeJson, listFollowedChanges, listNotifications } from './changes/queries.ts';
import { followsContract } from './contract.ts';
import { setEmailChoice } from './emails/service.ts';
import {
  followFeature,
  followProject,
  listFollows,
  unfollowFeature,
  unfollowProject,
} from './follow/service.ts';
import { getReadState, markRead } from './notifications/service.ts';

const addressOf = (params: { readonly projectId: string; readonly featureName: string }) => ({
  project: params.projectId,
  feature: params.featureName,
});

interface PageQuery {
  readonly limit?: string;
  readonly cursor?: string;
}

function pageOf(actor: Actor, { limit, cursor }: PageQuery) {
  const size = Number(limit ?? defaultLimit);
  return {
    size,
    userId: requireAccount(actor),
    sees: actor.sees,
    before: cursor === undefined ? undefined : Number(cursor),
    // One more tells whether there is another page.
    limit: size + 1,
  };
}

/** The properties of a page. The database has written the JSON of each event. */
function pageJson(rows: readonly ChangeJson[], size: number): string {
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  const next = last === undefined ? '' : `,"nextCursor":"${last.id}"`;
  return `"events":[${page.map(({ json }) => json).join()}]${next}`;
}

export const followUseCase = defineUseCase({
  contract: followsContract,
  routes: (services) => {
    const { db, searchDb, readSnapshot, transact, mailer } = services;

    return {
      listFollows: (_input, { actor }) => listFollows(db, actor, mailer),
      followProject: ({ params }, { actor }) =>
        transact(actor, (tx) => followProject(tx, params.projectId)),
      unfollowProject: ({ params }, { actor }) =>
        transact(actor, (tx) => unfollowProject(tx, params.projectId)),
      followFeature: ({ params }, { actor }) =>
        transact(actor, (tx) => followFeature(tx, addressOf(params))),
      unfollowFeature: ({ params }, { actor }) =>
        transact(actor, (tx) => unfollowFeature(tx, addressOf(params))),

      listChanges: async ({ query }, { actor, reply }) => {
        const page = pageOf(actor, query);
        const rows = await listFollowedChanges(searchDb, page);
        return sendReadyJson(reply, `{${pageJson(rows, page.size)}}`);
      },

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

      setEmailChoice: ({ body }, { actor }) =>
        transact(actor, (tx) => setEmailChoice(tx, body, mailer)),
    };
  },
});
