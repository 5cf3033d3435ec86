import { sendReadyJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { requireAccount } from '../../access/users/index.ts';
import { changesContract, defaultLimit } from './changes/contract.ts';
import { listFollowedChanges } from './changes/queries.ts';
import { emailContract } from './emails/contract.ts';
import { setEmailChoice } from './emails/service.ts';
import { followContract as contract } from './follow/contract.ts';
import {
  followFeature,
  followProject,
  listFollows,
  unfollowFeature,
  unfollowProject,
} from './follow/service.ts';

const addressOf = (params: { readonly projectId: string; readonly featureName: string }) => ({
  project: params.projectId,
  feature: params.featureName,
});

export const followUseCase = defineUseCase({
  contract: { ...contract, ...changesContract, ...emailContract },
  routes: (services) => {
    const { db, searchDb, transact, mailer } = services;

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
        const limit = Number(query.limit ?? defaultLimit);
        const rows = await listFollowedChanges(searchDb, {
          userId: requireAccount(actor),
          sees: actor.sees,
          before: query.cursor === undefined ? undefined : Number(query.cursor),
          // One more tells whether there is another page.
          limit: limit + 1,
        });
        const page = rows.slice(0, limit);
        const last = rows.length > limit ? page.at(-1) : undefined;
        const next = last === undefined ? '' : `,"nextCursor":"${last.id}"`;
        // The database has written the JSON of each event.
        return sendReadyJson(reply, `{"events":[${page.map(({ json }) => json).join()}]${next}}`);
      },

      setEmailChoice: ({ body }, { actor }) =>
        transact(actor, (tx) => setEmailChoice(tx, body.frequency, mailer)),
    };
  },
});
