import type { EventParameters } from './query/translate.ts';

/** The log of the instance, of a project or of a feature. The scope is not part of the query. */
export interface LogScope {
  readonly project?: string;
  readonly feature?: string;
}

/** A name with a comma would be read as two in a list, but IS takes it as it is. */
export const withScope = (
  parameters: EventParameters,
  { project, feature }: LogScope,
): EventParameters => ({
  ...parameters,
  ...(project !== undefined && feature === undefined && { project: `IS:${project}` }),
  ...(feature !== undefined && { feature: `IS:${feature}` }),
});
