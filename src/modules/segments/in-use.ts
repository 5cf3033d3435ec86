import type { Actor } from '../../platform/db/database.ts';
import { sees } from '../../platform/permission.ts';
import type { Usage } from './queries.ts';

/** Enough to begin with; the list of strategies that use a segment has them all. */
const maxNamed = 20;

const placeOf = ({ feature, project, environment, archived }: Usage): string => {
  const state = archived ? ' (archived)' : '';
  return feature === null
    ? `the default strategy of the project '${project}'${state} in ${environment}`
    : `the feature '${feature}'${state} in ${environment}`;
};

/** The places that use a segment, in words; of those that the actor may not know only that there are some. */
export function describeUsages(usages: readonly Usage[], actor: Actor): string {
  const known = usages.filter(({ project }) => sees(actor, project));
  const named = known.slice(0, maxNamed).map(placeOf);
  const more = known.length - named.length;
  return [
    ...named,
    ...(more > 0 ? [`${more} more`] : []),
    ...(known.length < usages.length ? ['projects that you may not see'] : []),
  ].join(', ');
}
