import type { FastifyRequest } from 'fastify';

const paths: ReadonlySet<string> = new Set([
  '/health',
  '/ready',
  '/internal-backstage/health',
  '/internal-backstage/ready',
  '/internal-backstage/prometheus',
]);

/** Whether monitoring sends this request, every few seconds. */
export const isProbe = ({ routeOptions }: FastifyRequest): boolean =>
  paths.has(routeOptions.url ?? '');
