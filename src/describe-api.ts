import Fastify from 'fastify';
import { modules } from './modules.ts';
import { registerOpenApi } from './platform/http/openapi.ts';
import { registerHealth } from './platform/http/ready.ts';
import type { Services } from './platform/module.ts';
import { version } from './version.ts';

/** Whatever is read of it, or called on it, is the same again. */
const idle: Services = new Proxy(
  (() => undefined) as unknown as Services,
  {
    get: (_services, name) => (name === Symbol.toPrimitive ? () => '' : idle),
    apply: () => idle,
  } as ProxyHandler<Services>,
);

/**
 * The OpenAPI document as text. Routes are only registered, never asked, so no database is needed:
 * whatever a module reaches for while it registers is a stand-in that does nothing.
 */
export async function describeApi(): Promise<string> {
  const app = Fastify();
  app.setValidatorCompiler(() => () => true);
  await registerOpenApi(app, version);
  for (const module of modules) module.routes(app, idle);
  const yes = async () => true;
  registerHealth(app, { databaseAnswers: yes, hasRoom: yes });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
