import type { FastifyInstance } from 'fastify';
import { sendReadyJson } from '../../../../platform/http/long-json.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { requireAccount } from '../../../access/users/index.ts';
import { changesContract, defaultLimit } from './contract.ts';
import { listFollowedChanges } from './queries.ts';

export function changesRoutes(app: FastifyInstance, { searchDb }: Services): void {
  route(app, changesContract.listChanges, async ({ query }, { actor, reply }) => {
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
  });
}
