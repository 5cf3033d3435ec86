import { isDeepStrictEqual } from 'node:util';
import type { FeatureState, Kind } from './states.ts';

/** What evaluations depend on, of all that a feature has regardless of environments. */
const evaluatedPart = ({ project, archivedAt, dependencies }: FeatureState) => ({
  project,
  archivedAt,
  dependencies,
});

/** Whether evaluations give the same results with both states of a thing, as far as it is known. */
export const isEvaluatedAlike = (kind: Kind, one: unknown, other: unknown): boolean =>
  kind === 'feature' &&
  one !== undefined &&
  other !== undefined &&
  isDeepStrictEqual(evaluatedPart(one as FeatureState), evaluatedPart(other as FeatureState));
