import { counted } from '../../../../platform/counted.ts';
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

export const featuresExported = defineEvent<FeaturesExported>({
  type: 'features-exported',
  summary: ({ user, environment, data }) =>
    `${user} exported ${counted(Number(data.featureCount), 'feature')} from ${environment}`,
});
