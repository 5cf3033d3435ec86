import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../platform/module.ts';
import { archiveContract } from './contract/archive.ts';
import { featureContract } from './contract/core.ts';
import { searchContract } from './contract/search.ts';
import { routeArchive, routeFeatures } from './routes-core.ts';

/** Features themselves: create, read, change, archive. */
export const coreContract = { ...featureContract, ...archiveContract, ...searchContract };

export function coreRoutes(app: FastifyInstance, services: Services): void {
  routeFeatures(app, services);
  routeArchive(app, services);
}
