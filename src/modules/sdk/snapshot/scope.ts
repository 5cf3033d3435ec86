import type { TokenScope } from '../../../platform/actor.ts';
import type { DefinedFeature, Snapshot } from './snapshot.ts';

/** The features of these projects in one environment. */
export interface EvaluationScope {
  readonly environment: string;
  readonly projects: TokenScope['scopes'];
}

/** The environment of an admin token that names none. */
const defaultEnvironment = 'development';

/** The scope of a token. An admin token has the environment that it asks for. */
export function scopeOf(
  tokenScope: TokenScope,
  snapshot: Snapshot,
  requested?: string,
): EvaluationScope {
  const { environments } = snapshot;
  const usual = environments.has(defaultEnvironment)
    ? defaultEnvironment
    : (environments.keys().next().value ?? defaultEnvironment);
  return { environment: tokenScope.environment ?? requested ?? usual, projects: tokenScope.scopes };
}

export const scopeKey = ({ environment, projects }: EvaluationScope): string =>
  JSON.stringify([environment, projects === 'all' ? '*' : [...projects].sort()]);

const isIn = ({ projects }: EvaluationScope, { project }: DefinedFeature): boolean =>
  projects === 'all' || projects.includes(project);

/** The features in scope, sorted by name. A deleted environment has none. */
export function featuresIn(snapshot: Snapshot, scope: EvaluationScope): DefinedFeature[] {
  const all = snapshot.environments.get(scope.environment)?.features.values() ?? [];
  return [...all].filter((feature) => isIn(scope, feature));
}
