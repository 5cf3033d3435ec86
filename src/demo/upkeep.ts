import { replaceReferences } from '../modules/insights/code-references/index.ts';
import { setReview } from '../modules/insights/health/index.ts';
import { dayMs } from '../platform/clock.ts';
import { catalogue, type DemoFeature } from './catalogue.ts';
import { type Chapter, numberOf } from './chapter.ts';
import { ownerOf } from './people.ts';

const folders = ['src/pages', 'src/api', 'src/components', 'test'];

/** Where the code names a feature: nowhere before it is begun, and for some that are completed, no longer. */
function placesOf({ name, life }: DemoFeature) {
  const number = numberOf(name);
  if (life === 'planned' || life === 'archived') return [];
  if (life === 'completed' && number % 2 === 0) return [];
  return Array.from({ length: 1 + (number % 3) }, (_, index) => ({
    feature: name,
    path: `${folders[(number + index) % folders.length]}/${name.replaceAll('-', '_')}.ts`,
    line: 10 + ((number * (index + 3)) % 180),
  }));
}

const searched = (daysAgo: number, project: string, repository: string): Chapter => ({
  daysAgo,
  by: ownerOf(project),
  requests: [{ operation: 'replaceCodeReferences', project }],
  run: (tx) =>
    replaceReferences(tx, project, {
      repository,
      commit: numberOf(repository).toString(16).padStart(8, '4'),
      references: (catalogue[project] ?? []).flatMap(placesOf),
    }),
});

interface KeptFeature {
  readonly daysAgo: number;
  readonly project: string;
  readonly feature: string;
  readonly reason: string;
  /** Days until someone should look again; without it, never. */
  readonly days?: number;
}

const kept = ({ daysAgo, project, feature, reason, days }: KeptFeature): Chapter => ({
  daysAgo,
  by: ownerOf(project),
  requests: [{ operation: 'setFeatureReview', project }],
  run: (tx) =>
    setReview(
      tx,
      { project, feature },
      {
        reason,
        permanent: days === undefined,
        snoozedUntil:
          days === undefined ? null : new Date(tx.now.getTime() + days * dayMs).toISOString(),
      },
    ),
});

/** What was done about old features: code was searched, and some were kept with a reason. */
export const upkeep: readonly Chapter[] = [
  searched(0.9, 'web-shop', 'https://github.com/example/web-shop'),
  searched(0.8, 'checkout', 'https://github.com/example/order-service'),
  searched(2.5, 'search', 'https://github.com/example/search'),
  kept({
    daysAgo: 17,
    project: 'web-shop',
    feature: 'image-cdn',
    reason: 'We may switch back to the first provider before the contract ends',
    days: 90,
  }),
  kept({
    daysAgo: 11,
    project: 'checkout',
    feature: 'pay-slow-lane',
    reason: 'Needed whenever the bank is slow',
  }),
];
