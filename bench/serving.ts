import type { Fresh } from './on-burgee.ts';

/** A process that serves SDKs. */
export interface Served {
  readonly url: string;
  readonly pid: number;
}

/** What serves SDKs in a measurement: the server itself, or an edge in front of it. */
export interface Serving {
  readonly name: string;
  /** How much memory it may have before the first request. */
  readonly idleMb?: number;
  readonly on: <Result>(
    fresh: Fresh,
    tokens: readonly string[],
    work: (served: Served) => Promise<Result>,
  ) => Promise<Result>;
}

export const byServer: Serving = {
  name: 'server',
  on: ({ service, pid }, _tokens, work) => work({ url: service.url, pid }),
};
