import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { presentFeature } from '../present.ts';
import { endpoints } from './checks.ts';
import { createFeature } from './service.ts';

export function createFeatureRoutes(app: FastifyInstance, { transact, settings }: Services): void {
  route(app, endpoints.createFeature, ({ params: { projectId: project }, body }, { actor }) => {
    // Named one by one, because a body may have other properties, which the log must not record.
    const { name, type, description, impressionData, stale, createdAt, tags } = body;
    const feature = {
      ...{ name, type, description: description ?? null, impressionData, stale },
      ...(createdAt !== undefined && { createdAt }),
      ...(tags && { tags }),
    };
    const input = { project, feature, environments: body.environments ?? [] };
    return transact(actor, async (tx) =>
      presentFeature(await createFeature(tx, settings.baseUrl, input)),
    );
  });
}
