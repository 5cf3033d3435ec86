import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { endpoint } from '../contract/endpoint.ts';
import { named } from '../contract/schema.ts';
import { noRoom, unavailable } from '../errors.ts';
import { route } from './route.ts';

const HealthSchema = named('healthCheckSchema', Type.Object({ health: Type.Literal('GOOD') }));

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
  summary: 'The process is alive, its database answers, and has room',
  permission: 'public',
  response: HealthSchema,
});

export function registerHealth(
  app: FastifyInstance,
  {
    databaseAnswers,
    hasRoom,
  }: { readonly databaseAnswers: () => Promise<boolean>; readonly hasRoom: () => Promise<boolean> },
): void {
  route(app, health, async () => ({ health: 'GOOD' as const }));
  route(app, ready, async () => {
    if (!(await databaseAnswers())) throw unavailable('The database does not answer');
    if (!(await hasRoom())) throw noRoom();
    return { health: 'GOOD' as const };
  });
}
