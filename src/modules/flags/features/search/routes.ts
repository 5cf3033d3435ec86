import type { FastifyInstance } from 'fastify';
import { streamJson, withList } from '../../../../platform/http/long-json.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { searchEndpoints as contract } from './checks.ts';
import { searchFeatures } from './service.ts';

export function searchRoutes(app: FastifyInstance, services: Services): void {
  const { searchDb, settings, clock } = services;

  route(app, contract.searchFeatures, async ({ parsed }, { actor, reply }) => {
    const viewer = { actor, baseUrl: settings.baseUrl };
    const { features, total } = await searchFeatures(searchDb, viewer, parsed, clock());
    return streamJson(reply, withList({ total }, 'features', features));
  });
}
