import type { Actor } from '../../src/platform/actor.ts';
import { type TestApp, testActor } from './app.ts';
import { headersOf } from './limited-actors.ts';

type Limits = Partial<Pick<Actor, 'id' | 'name' | 'kind' | 'may' | 'sees'>>;

/** The same server, asked as this actor. */
export function limitedApp(app: TestApp, limits: Limits): TestApp {
  const own = headersOf({ ...testActor, ...limits });
  return {
    ...app,
    ask: (request, { headers, ...options } = {}) =>
      app.ask(request, { ...options, headers: { ...headers, ...own } }),
  };
}
