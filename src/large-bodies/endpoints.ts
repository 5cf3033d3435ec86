import { modules } from '../modules.ts';
import type { Endpoint } from '../platform/contract/endpoint.ts';

/** Every operation, by its id. */
export const endpointsById = (): ReadonlyMap<string, Endpoint> =>
  new Map(
    modules
      .flatMap(({ contract }): Endpoint[] => Object.values(contract))
      .map((endpoint) => [endpoint.id, endpoint]),
  );
