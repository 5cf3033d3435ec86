import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { unavailable } from '../errors.ts';
import { endpoint, route } from './endpoint.ts';

const HealthSchema = Type.Object({ health: Type.Literal('GOOD') });

const health = endpoint({
  method: 'GET',
  path: '/health',
  id: 'getHealth',
  tag: 'Operations',
  summary: 'The process is alive',
  permission: 'public',
  response: HealthSchema,
});

const ready = endpoint({
  method: 'GET',
  path: '/ready',
  id: 'getReady',
  tag: 'Operations',
  summary: 'The process is alive and its database answers',
  permission: 'public',
  response: HealthSchema,
});

export function registerHealth(
  app: FastifyInstance,
  databaseAnswers: () => Promise<boolean>,
): void {
  route(app, health, async () => ({ health: 'GOOD' as const }));
  route(app, ready, async () => {
    if (!(await databaseAnswers())) throw unavailable('The database does not answer');
    return { health: 'GOOD' as const };
  });
}
