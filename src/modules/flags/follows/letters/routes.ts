import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { letterContract } from './contract.ts';
import { setLetters } from './service.ts';

export function letterRoutes(app: FastifyInstance, { transact, mailer }: Services): void {
  route(app, letterContract.setLetters, ({ body }, { actor }) =>
    transact(actor, (tx) => setLetters(tx, body.frequency, mailer)),
  );
}
