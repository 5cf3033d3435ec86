import type { ServedEndpoint } from '../../platform/http/checked.ts';
import { modules } from '../modules.ts';

export const endpointsById = (): ReadonlyMap<string, ServedEndpoint> =>
  new Map(
    modules
      .flatMap(({ contract }): ServedEndpoint[] => Object.values(contract))
      .map((endpoint) => [endpoint.id, endpoint]),
  );
