import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { testSendContract } from './contract.ts';
import { sendTest } from './service.ts';

export function testSendRoutes(
  app: FastifyInstance,
  { db, settings, outgoing, clock }: Services,
): void {
  route(app, testSendContract.testIntegration, ({ params }, { actor }) =>
    sendTest(db, actor, params.id, { settings, outgoing, clock }),
  );
}
