import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { featureAnswer } from '../index.ts';
import { endpoints } from './checks.ts';
import { createWholeFeature } from './service.ts';

export function newFeatureRoutes(app: FastifyInstance, { transact, settings }: Services): void {
  route(app, endpoints.createFeature, ({ params: { projectId: project }, body }, { actor }) => {
    // One by one: whatever else a body has is not for us, and least of all for the log.
    const { name, type, description, impressionData, stale, createdAt, tags, environments } = body;
    const wish = {
      ...{ name, type, description: description ?? null, impressionData, stale },
      ...(createdAt !== undefined && { createdAt }),
      ...(tags && { tags }),
    };
    return transact(actor, async (tx) =>
      featureAnswer(
        await createWholeFeature(tx, settings.baseUrl, {
          project,
          wish,
          beginnings: environments ?? [],
        }),
      ),
    );
  });
}
