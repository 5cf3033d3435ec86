import {
  archiveFeature,
  completeFeature,
  createFeature,
  markStale,
  replaceVariantsInBatch,
} from '../modules/features/index.ts';
import {
  addStrategy,
  listStrategies,
  replaceStrategy,
  switchOne,
} from '../modules/strategies/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { FeatureTale, Life } from './catalogue.ts';
import { authorIn } from './people.ts';
import type { Chapter } from './story.ts';

interface Scene {
  /** After which part of its time until today. */
  readonly at: number;
  readonly tell: (tx: Tx, place: Place) => Promise<unknown>;
}

interface Place {
  readonly project: string;
  readonly tale: FeatureTale;
}

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
  tell: (tx, place) => switchOne(tx, addressOf(place, 'development'), { enabled: true }),
};

/** First for the staff, who wear the user ids 1 to 3. */
const tried: Scene = {
  at: 0.2,
  tell: async (tx, place) => {
    const address = addressOf(place, 'production');
    await addStrategy(tx, address, {
      ...strategyOf(place, '100'),
      title: 'Staff',
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] }],
    });
    await switchOne(tx, address, { enabled: true });
  },
};

const rolledOut = (at: number, rollout: string): Scene => ({
  at,
  tell: async (tx, place) => {
    const address = addressOf(place, 'production');
    const strategies = await listStrategies(tx.db, [place.tale.name]);
    const general = strategies.find(
      ({ environment, constraints }) => environment === 'production' && constraints.length === 0,
    );
    const wish = strategyOf(place, rollout);
    if (general) await replaceStrategy(tx, address, general.id, wish);
    else await addStrategy(tx, address, wish);
  },
});

const varied: Scene = {
  at: 0.1,
  tell: (tx, { project, tale }) =>
    replaceVariantsInBatch(
      tx,
      { project, feature: tale.name },
      {
        environments: ['development', 'production'],
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

const everywhere = [
  developed,
  tried,
  rolledOut(0.3, '10'),
  rolledOut(0.45, '50'),
  rolledOut(0.6, '100'),
];

const lives: Readonly<Record<Life, readonly Scene[]>> = {
  planned: [],
  developed: [developed],
  tried: [developed, tried],
  growing: [developed, tried, rolledOut(0.5, '5'), rolledOut(0.7, '25'), rolledOut(0.9, '50')],
  everywhere,
  withdrawn: [
    developed,
    tried,
    rolledOut(0.4, '20'),
    {
      at: 0.7,
      tell: (tx, place) => switchOne(tx, addressOf(place, 'production'), { enabled: false }),
    },
  ],
  forgotten: [
    ...everywhere,
    {
      at: 0.9,
      tell: (tx, { project, tale }) =>
        markStale(tx, project, { features: [tale.name], stale: true }),
    },
  ],
  completed: [
    ...everywhere,
    {
      at: 0.8,
      tell: (tx, { project, tale }) =>
        completeFeature(tx, { project, feature: tale.name }, { status: 'kept' }),
    },
  ],
  archived: [
    developed,
    tried,
    rolledOut(0.3, '50'),
    { at: 0.6, tell: (tx, { project, tale }) => archiveFeature(tx, project, tale.name) },
  ],
};

/** The life of one feature, from its creation until today. */
export function chaptersOf(project: string, tale: FeatureTale): Chapter[] {
  const { name, type, description, tags = [] } = tale;
  const created: Chapter = {
    daysAgo: tale.daysAgo,
    by: authorIn(project, name),
    tell: (tx) =>
      createFeature(tx, {
        project,
        name,
        type,
        description,
        impressionData: type === 'experiment',
        tags: tags.map((value) => ({ type: 'simple', value })),
      }),
  };
  const scenes = type === 'experiment' ? [...lives[tale.life], varied] : lives[tale.life];
  return [
    created,
    ...scenes.map(({ at, tell }, index) => ({
      daysAgo: tale.daysAgo * (1 - at),
      by: authorIn(project, `${name}${index}`),
      tell: (tx: Tx) => tell(tx, { project, tale }),
    })),
  ];
}
