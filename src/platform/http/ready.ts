import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { endpoint } from '../contract/endpoint.ts';
import { named } from '../contract/schema.ts';
import { diskFull, unavailable } from '../errors.ts';
import { route } from './route.ts';

const HealthSchema = named('healthCheckSchema', Type.Object({ health: Type.Literal('GOOD') }));

const health = endpoint({
  method: 'GET',
  path: '/health',
  id: 'getHealth',
  tag: 'Operations',
  summary: 'Check whether the process is alive',
  permission: 'public',
  response: HealthSchema,
});

const ready = endpoint({
  method: 'GET',
  path: '/ready',
  id: 'getReady',
  tag: 'Operations',
  summary: 'Check whether the server can handle requests',
  permission: 'public',
  response: HealthSchema,
});

export function registerHealth(
  app: FastifyInstance,
  {
    databaseAnswers,
    hasDiskSpace,
  }: {
    readonly databaseAnswers: () => Promise<boolean>;
    readonly hasDiskSpace: () => Promise<boolean>;
  },
): void {
  route(app, health, async () => ({ health: 'GOOD' as const }));
  route(app, ready, async () => {
    if (!(await databaseAnswers())) throw unavailable('The database does not respond');
    if (!(await hasDiskSpace())) throw diskFull();
    return { health: 'GOOD' as const };
  });
}
