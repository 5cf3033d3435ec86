import {
  addStrategy,
  archiveFeature,
  completeFeature,
  createFeatures,
  listStrategies,
  markStale,
  replaceStrategy,
  replaceVariantsInBatch,
  switchOne,
} from '../modules/flags/features/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { FeatureTale, Life } from './catalogue.ts';
import { type Chapter, type NeededPermission, numberOf } from './chapter.ts';
import { releaserIn } from './machines.ts';
import { authorIn } from './people.ts';

interface Scene {
  /** The moment, as a fraction of the feature's age. */
  readonly at: number;
  /** The requests in the feature's project. */
  readonly asks: readonly Omit<NeededPermission, 'project'>[];
  /** Done by the releaser, if the project has one. */
  readonly isRelease?: true;
  readonly tell: (tx: Tx, place: Place) => Promise<unknown>;
}

interface Place {
  readonly project: string;
  readonly tale: FeatureTale;
}

const development = 'development';
const production = 'production';

const addressOf = ({ project, tale }: Place, environment: string) => ({
  project,
  featureName: tale.name,
  environment,
});

const strategyOf = ({ tale }: Place, rollout: string) => ({
  name: 'flexibleRollout',
  title: rollout === '100' ? 'Everybody' : `${rollout} % of everybody`,
  parameters: { rollout, stickiness: 'default', groupId: tale.name },
});

const developed: Scene = {
  at: 0.05,
  asks: [{ operation: 'toggleFeatureEnvironmentOn', environment: development }],
  tell: (tx, place) => switchOne(tx, addressOf(place, development), { enabled: true }),
};

/** First for the staff, who have the user ids 1 to 3. */
const tried: Scene = {
  at: 0.2,
  asks: [
    { operation: 'addFeatureStrategy', environment: production },
    { operation: 'toggleFeatureEnvironmentOn', environment: production },
  ],
  tell: async (tx, place) => {
    const address = addressOf(place, production);
    await addStrategy(tx, address, {
      ...strategyOf(place, '100'),
      title: 'Staff',
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] }],
    });
    await switchOne(tx, address, { enabled: true });
  },
};

const released = (at: number, rollout: string): Scene => ({
  at,
  asks: [{ operation: 'addFeatureStrategy', environment: production }],
  isRelease: true,
  tell: (tx, place) => addStrategy(tx, addressOf(place, production), strategyOf(place, rollout)),
});

const grown = (at: number, rollout: string): Scene => ({
  at,
  asks: [{ operation: 'updateFeatureStrategy', environment: production }],
  isRelease: true,
  tell: async (tx, place) => {
    const strategies = await listStrategies(tx.db, [place.tale.name]);
    const general = strategies.find(
      ({ environment, constraints }) => environment === production && constraints.length === 0,
    );
    if (!general) throw new Error(`${place.tale.name} grows before it is released`);
    const wish = strategyOf(place, rollout);
    await replaceStrategy(tx, addressOf(place, production), general.id, wish);
  },
});

const varied: Scene = {
  at: 0.1,
  asks: [{ operation: 'overwriteFeatureVariantsOnEnvironments' }],
  tell: (tx, { project, tale }) =>
    replaceVariantsInBatch(
      tx,
      { project, feature: tale.name },
      {
        environments: [development, production],
        variants: ['control', 'treatment'].map((name) => ({
          name,
          weight: 500,
          weightType: 'variable',
          stickiness: 'default',
          payload: { type: 'string', value: name },
        })),
      },
    ),
};

const everywhere = [developed, tried, released(0.3, '10'), grown(0.45, '50'), grown(0.6, '100')];

const lives: Readonly<Record<Life, readonly Scene[]>> = {
  planned: [],
  developed: [developed],
  tried: [developed, tried],
  growing: [developed, tried, released(0.5, '5'), grown(0.7, '25'), grown(0.9, '50')],
  everywhere,
  withdrawn: [
    developed,
    tried,
    released(0.4, '20'),
    {
      at: 0.7,
      asks: [{ operation: 'toggleFeatureEnvironmentOff', environment: production }],
      isRelease: true,
      tell: (tx, place) => switchOne(tx, addressOf(place, production), { enabled: false }),
    },
  ],
  forgotten: [
    ...everywhere,
    {
      at: 0.9,
      asks: [{ operation: 'staleFeatures' }],
      tell: (tx, { project, tale }) =>
        markStale(tx, project, { features: [tale.name], stale: true }),
    },
  ],
  completed: [
    ...everywhere,
    {
      at: 0.8,
      asks: [{ operation: 'complete' }],
      tell: (tx, { project, tale }) =>
        completeFeature(tx, { project, feature: tale.name }, { status: 'kept' }),
    },
  ],
  archived: [
    developed,
    tried,
    released(0.3, '50'),
    {
      at: 0.6,
      asks: [{ operation: 'archiveFeature' }],
      tell: (tx, { project, tale }) => archiveFeature(tx, project, tale.name),
    },
  ],
};

/** The life of one feature, from its creation until today. */
export function chaptersOf(project: string, tale: FeatureTale): Chapter[] {
  const { name, type, description, tags = [] } = tale;
  // Spreads the features over the hours of a day.
  const age = tale.daysAgo + (numberOf(name) % 100) / 250;
  const created: Chapter = {
    daysAgo: age,
    by: authorIn(project, name, age),
    asks: [{ operation: 'createFeature', project }],
    tell: (tx) =>
      createFeatures(tx, project, [
        {
          name,
          type,
          description,
          impressionData: type === 'experiment',
          tags: tags.map((value) => ({ type: 'simple', value })),
        },
      ]),
  };
  const scenes = type === 'experiment' ? [...lives[tale.life], varied] : lives[tale.life];
  return [
    created,
    ...scenes.map(({ at, asks, isRelease, tell }, index): Chapter => {
      const daysAgo = age * (1 - at);
      const thing = `${name}${index}`;
      const releaser = isRelease && releaserIn(project, thing, daysAgo);
      return {
        daysAgo,
        by: releaser || authorIn(project, thing, daysAgo),
        asks: asks.map((asked) => ({ ...asked, project })),
        tell: (tx) => tell(tx, { project, tale }),
      };
    }),
  ];
}
