import type { EventParameters } from './query/translate.ts';

/** Where a log is shown: of the installation, of a project or of a feature. What it fixes stands in no query. */
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
