import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from '../support/app.ts';

/** Prepares what it needs under unique names and ends with the tested request. */
export type Scenario = (ask: TestApp['ask'], on: TestApp) => Promise<LightMyRequestResponse>;

/** What `every-mutation-records.test.ts` needs to know about the endpoints of a module, by operation id. */
export interface Mutations {
  readonly scenarios: Readonly<Record<string, Scenario>>;
  /** Requests that return 409, one for each endpoint that can. */
  readonly conflicts: Readonly<Record<string, Scenario>>;
  /** Endpoints other than GET that change nothing, with the reason. */
  readonly changesNothing: Readonly<Record<string, string>>;
}
