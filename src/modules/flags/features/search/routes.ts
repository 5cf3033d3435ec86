import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { searchFeatures } from '../read/service.ts';
import { sendFeatures } from '../send-features.ts';
import { searchEndpoints as contract } from './checks.ts';

export function searchRoutes(app: FastifyInstance, services: Services): void {
  const { searchDb, settings, clock } = services;

  route(app, contract.searchFeatures, async ({ parsed }, { actor, reply }) => {
    const viewer = { actor, baseUrl: settings.baseUrl };
    const { features, total } = await searchFeatures(searchDb, viewer, parsed, clock());
    return sendFeatures(reply, features, { total });
  });
}
