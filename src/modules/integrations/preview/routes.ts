import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { previewEndpoints } from './checks.ts';
import { preview } from './service.ts';

export function previewRoutes(
  app: FastifyInstance,
  { searchDb, settings }: Pick<Services, 'searchDb' | 'settings'>,
): void {
  route(app, previewEndpoints.previewIntegration, ({ body }, { actor }) =>
    preview(searchDb, actor, body, settings.baseUrl),
  );
}
