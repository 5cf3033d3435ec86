import { defineEvent } from '../../events/index.ts';

/** The names say what left; how it was then can be read in the log of each. */
interface Exported {
  environment: string;
  /** The first thousand. */
  features: readonly string[];
  featureCount: number;
  strategyCount: number;
  tagCount: number;
  contextFieldCount: number;
  segmentCount: number;
  dependencyCount: number;
}

const numbered = (count: unknown) => `${count} ${count === 1 ? 'feature' : 'features'}`;

export const featuresExported = defineEvent<Exported>({
  type: 'features-exported',
  label: 'Features exported',
  summary: ({ user, environment, data }) =>
    `${user} exported ${numbered(data.featureCount)} with what they are in the environment ${environment}`,
});

/** How much of everything came; each part has an event of its own. */
export const featuresImported = defineEvent<Readonly<Record<string, number>>>({
  type: 'features-imported',
  label: 'Features imported',
  summary: ({ user, project, environment, data }) =>
    `${user} imported ${numbered(data.features)} into the environment ${environment} of the project ${project}`,
});
