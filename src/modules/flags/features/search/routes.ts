import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/endpoint.ts';
import type { Services } from '../../../../platform/module.ts';
import { searchFeatures } from '../read/service.ts';
import { sendFeatures } from '../send-features.ts';
import { searchContract as contract } from './contract.ts';
import { parseFeatureSearch } from './filter.ts';

export function searchRoutes(app: FastifyInstance, services: Services): void {
  const { searchDb, settings, clock } = services;

  route(app, contract.searchFeatures, async ({ query }, { actor, reply }) => {
    const search = parseFeatureSearch(query);
    const viewer = { actor, baseUrl: settings.baseUrl };
    const { features, total } = await searchFeatures(searchDb, viewer, search, clock());
    return sendFeatures(reply, features, { total });
  });
}
