import { invalidOperation } from '../../../platform/errors.ts';

/** The ids here of segments that a strategy names. */
export const segmentIdsOf = (
  names: readonly string[],
  ids: ReadonlyMap<string, number>,
): number[] =>
  names.map((name) => {
    const id = ids.get(name);
    if (id !== undefined) return id;
    throw invalidOperation(
      `its segment '${name}' wasn't imported; without it, more users would get the feature`,
    );
  });
