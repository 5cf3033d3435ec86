import type { Actor } from '../../../platform/actor.ts';
import { blockerNames } from '../../../platform/blockers.ts';
import type { Usage } from './queries.ts';

const placeOf = ({ feature, project, environment, archived }: Usage): string => {
  const state = archived ? ' (archived)' : '';
  return feature === null
    ? `the default strategy of the project '${project}'${state} in ${environment}`
    : `the feature '${feature}'${state} in ${environment}`;
};

/** Describes where a segment is used. Of uses hidden from the actor it only says that they exist. */
export const describeUsages = (usages: readonly Usage[], actor: Actor): string =>
  blockerNames(usages, actor, {
    scopeOf: ({ project }) => project,
    nameOf: placeOf,
    unseen: 'projects that you cannot see',
    // Enough to start with; the list of strategies of a segment has them all.
    most: 20,
  }).join(', ');
