import Fastify from 'fastify';
import { registerOpenApi } from '../platform/http/openapi.ts';
import { registerHealth } from '../platform/http/ready.ts';
import type { Services } from '../platform/module.ts';
import { version } from '../platform/version.ts';
import { modules } from './modules.ts';

/** A stand-in: every property of it, and every result of a call, is the same stand-in. */
const idle: Services = new Proxy(
  (() => undefined) as unknown as Services,
  {
    get: (_services, name) => (name === Symbol.toPrimitive ? () => '' : idle),
    apply: () => idle,
  } as ProxyHandler<Services>,
);

/**
 * The OpenAPI document as text. Routes are only registered, never called, so no database is needed:
 * everything that a module uses while it registers is a stand-in that does nothing.
 */
export async function describeApi(): Promise<string> {
  const app = Fastify();
  app.setValidatorCompiler(() => () => true);
  await registerOpenApi(app, version);
  for (const module of modules) module.routes(app, idle);
  registerHealth(app, {
    isStopping: () => false,
    hasSnapshot: async () => true,
    findDatabaseState: async () => 'reached',
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
