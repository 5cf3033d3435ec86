import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../platform/module.ts';

export function configurationRoutes(_app: FastifyInstance, _services: Services): void {}
