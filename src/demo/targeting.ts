import { addDependencyOf, addStrategy } from '../modules/flags/features/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Chapter } from './chapter.ts';
import { ownerOf } from './people.ts';

const environment = 'production';

interface Target {
  readonly daysAgo: number;
  readonly project: string;
  readonly featureName: string;
  readonly title: string;
  readonly rollout: string;
  readonly countries?: readonly string[];
  readonly segment?: string;
}

const segmentNamed = async (tx: Tx, name: string): Promise<number> =>
  (
    await tx.db
      .selectFrom('segments')
      .where('name', '=', name)
      .select('id')
      .executeTakeFirstOrThrow()
  ).id;

/** A strategy for some of the customers, beside the one for a share of all. */
const aimed = ({ daysAgo, project, featureName, title, rollout, ...whom }: Target): Chapter => ({
  daysAgo,
  by: ownerOf(project),
  requests: [{ operation: 'addFeatureStrategy', project, environment }],
  run: async (tx) =>
    addStrategy(
      tx,
      { project, featureName, environment },
      {
        name: 'flexibleRollout',
        title,
        parameters: { rollout, stickiness: 'userId', groupId: featureName },
        ...(whom.countries && {
          constraints: [{ contextName: 'country', operator: 'IN', values: [...whom.countries] }],
        }),
        ...(whom.segment !== undefined && { segments: [await segmentNamed(tx, whom.segment)] }),
      },
    ),
});

const needs = (daysAgo: number, project: string, feature: string, parent: string): Chapter => ({
  daysAgo,
  by: ownerOf(project),
  requests: [{ operation: 'addFeatureDependency', project }],
  run: (tx) =>
    addDependencyOf(tx, { project, feature }, { feature: parent, enabled: true, variants: [] }),
});

/** Features that are enabled for some users: by country, by segment, and with a parent feature. */
export const targeting: readonly Chapter[] = [
  aimed({
    ...{ daysAgo: 34, project: 'web-shop', featureName: 'size-advisor' },
    ...{ title: 'Nordics: different size chart', rollout: '80', segment: 'Nordics' },
  }),
  aimed({
    ...{ daysAgo: 21, project: 'web-shop', featureName: 'passkeys' },
    ...{ title: 'Countries with local support', rollout: '100' },
    countries: ['DE', 'NL'],
  }),
  aimed({
    ...{ daysAgo: 17, project: 'mobile', featureName: 'visual-search' },
    ...{ title: 'Early adopters', rollout: '100', segment: 'Early adopters' },
  }),
  needs(13, 'web-shop', 'product-page-layout', 'live-stock'),
];
