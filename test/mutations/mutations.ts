import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from '../support/app.ts';

/** Ends in the request that is looked at; prepares what it needs first, under names of its own. */
export type Scenario = (ask: TestApp['ask'], on: TestApp) => Promise<LightMyRequestResponse>;

/** What `every-mutation-records.test.ts` has to know of the endpoints of a module, by operation id. */
export interface Mutations {
  readonly scenarios: Readonly<Record<string, Scenario>>;
  /** Requests that are answered with 409, one for each endpoint that can be. */
  readonly conflicts: Readonly<Record<string, Scenario>>;
  /** Endpoints that are not GET and yet change nothing, with the reason. */
  readonly changesNothing: Readonly<Record<string, string>>;
}
