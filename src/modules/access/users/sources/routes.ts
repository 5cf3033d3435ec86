import type { FastifyInstance } from 'fastify';
import { sendLongJson } from '../../../../platform/http/long-json.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { requireAccount } from '../accounts/service.ts';
import { sourceContract } from './contract.ts';
import { explainAccess } from './service.ts';

export function sourceRoutes(app: FastifyInstance, { db, settings }: Services): void {
  route(app, sourceContract.explainAccess, async ({ params }, { reply }) =>
    sendLongJson(reply, await explainAccess(db, pathId('account', params.id), settings.baseUrl)),
  );

  route(app, sourceContract.explainOwnAccess, async (_input, { actor, reply }) =>
    sendLongJson(reply, await explainAccess(db, requireAccount(actor), settings.baseUrl)),
  );
}
