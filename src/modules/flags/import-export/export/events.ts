import { defineEvent } from '../../../events/index.ts';

/** The names say what was exported. The log of each feature says how it was then. */
interface FeaturesExported {
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

export const featuresExported = defineEvent<FeaturesExported>({
  type: 'features-exported',
  summary: ({ user, environment, data }) =>
    `${user} exported ${numbered(data.featureCount)} with their configuration in the environment ${environment}`,
});
