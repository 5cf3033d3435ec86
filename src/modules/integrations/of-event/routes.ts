import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { ofEventContract } from './contract.ts';
import { listIntegrationsOfEvent } from './service.ts';

export function ofEventRoutes(
  app: FastifyInstance,
  { readSnapshot, clock }: Pick<Services, 'readSnapshot' | 'clock'>,
): void {
  route(app, ofEventContract.listDeliveriesOfEvent, ({ params }, { actor }) =>
    readSnapshot((snapshot) => listIntegrationsOfEvent(snapshot, actor, params.id, clock())),
  );
}
