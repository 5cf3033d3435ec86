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
import type { DemoFeature, Life } from './catalogue.ts';
import { type Chapter, type NeededPermission, numberOf } from './chapter.ts';
import { releaserIn } from './machines.ts';
import { authorIn } from './people.ts';

interface LifeEvent {
  /** The moment, as a fraction of the feature's age. */
  readonly at: number;
  /** The requests in the feature's project. */
  readonly requests: readonly Omit<NeededPermission, 'project'>[];
  /** Done by the releaser, if the project has one. */
  readonly isRelease?: true;
  readonly run: (tx: Tx, feature: FeatureInDemo) => Promise<unknown>;
}

interface FeatureInDemo {
  readonly project: string;
  readonly definition: DemoFeature;
}

const development = 'development';
const production = 'production';

const addressOf = ({ project, definition }: FeatureInDemo, environment: string) => ({
  project,
  featureName: definition.name,
  environment,
});

const strategyOf = ({ definition }: FeatureInDemo, rollout: string) => ({
  name: 'flexibleRollout',
  title: rollout === '100' ? 'Everyone' : `${rollout}% of users`,
  parameters: { rollout, stickiness: 'default', groupId: definition.name },
});

const developed: LifeEvent = {
  at: 0.05,
  requests: [{ operation: 'toggleFeatureEnvironmentOn', environment: development }],
  run: (tx, feature) => switchOne(tx, addressOf(feature, development), { enabled: true }),
};

/** First for employees, who have the user ids 1 to 3. */
const tried: LifeEvent = {
  at: 0.2,
  requests: [
    { operation: 'addFeatureStrategy', environment: production },
    { operation: 'toggleFeatureEnvironmentOn', environment: production },
  ],
  run: async (tx, feature) => {
    const address = addressOf(feature, production);
    await addStrategy(tx, address, {
      ...strategyOf(feature, '100'),
      title: 'Employees',
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] }],
    });
    await switchOne(tx, address, { enabled: true });
  },
};

const released = (at: number, rollout: string): LifeEvent => ({
  at,
  requests: [{ operation: 'addFeatureStrategy', environment: production }],
  isRelease: true,
  run: (tx, feature) =>
    addStrategy(tx, addressOf(feature, production), strategyOf(feature, rollout)),
});

const grown = (at: number, rollout: string): LifeEvent => ({
  at,
  requests: [{ operation: 'updateFeatureStrategy', environment: production }],
  isRelease: true,
  run: async (tx, feature) => {
    const strategies = await listStrategies(tx.db, [feature.definition.name]);
    const general = strategies.find(
      ({ environment, constraints }) => environment === production && constraints.length === 0,
    );
    if (!general) throw new Error(`${feature.definition.name} grows before it is released`);
    const strategy = strategyOf(feature, rollout);
    await replaceStrategy(tx, addressOf(feature, production), general.id, strategy);
  },
});

const varied: LifeEvent = {
  at: 0.1,
  requests: [{ operation: 'overwriteFeatureVariantsOnEnvironments' }],
  run: (tx, { project, definition }) =>
    replaceVariantsInBatch(
      tx,
      { project, feature: definition.name },
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

const lives: Readonly<Record<Life, readonly LifeEvent[]>> = {
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
      requests: [{ operation: 'toggleFeatureEnvironmentOff', environment: production }],
      isRelease: true,
      run: (tx, feature) => switchOne(tx, addressOf(feature, production), { enabled: false }),
    },
  ],
  forgotten: [
    ...everywhere,
    {
      at: 0.9,
      requests: [{ operation: 'staleFeatures' }],
      run: (tx, { project, definition }) =>
        markStale(tx, project, { features: [definition.name], stale: true }),
    },
  ],
  completed: [
    ...everywhere,
    {
      at: 0.8,
      requests: [{ operation: 'complete' }],
      run: (tx, { project, definition }) =>
        completeFeature(tx, { project, feature: definition.name }, { status: 'kept' }),
    },
  ],
  archived: [
    developed,
    tried,
    released(0.3, '50'),
    {
      at: 0.6,
      requests: [{ operation: 'archiveFeature' }],
      run: (tx, { project, definition }) => archiveFeature(tx, project, definition.name),
    },
  ],
};

/** Every feature has its ticket, and an experiment the page that measures it. */
const linksOf = (project: string, { name, type }: DemoFeature) => [
  {
    title: 'Ticket',
    url: `https://tickets.example.com/${project}/${1000 + (numberOf(name) % 9000)}`,
  },
  ...(type === 'experiment'
    ? [
        {
          title: 'Experiment results',
          url: `https://charts.example.com/experiments/${name}`,
        },
      ]
    : []),
];

/** The life of one feature, from its creation until today. */
export function chaptersOf(project: string, definition: DemoFeature): Chapter[] {
  const { name, type, description, tags = [] } = definition;
  // Spreads the features over the hours of a day.
  const age = definition.daysAgo + (numberOf(name) % 100) / 250;
  const created: Chapter = {
    daysAgo: age,
    by: authorIn(project, name, age),
    requests: [{ operation: 'createFeature', project }],
    run: (tx) =>
      createFeatures(tx, project, [
        {
          name,
          type,
          description,
          impressionData: type === 'experiment',
          tags: tags.map((value) => ({ type: 'simple', value })),
          links: linksOf(project, definition),
        },
      ]),
  };
  const lifeEvents =
    type === 'experiment' ? [...lives[definition.life], varied] : lives[definition.life];
  return [
    created,
    ...lifeEvents.map(({ at, requests, isRelease, run }, index): Chapter => {
      const daysAgo = age * (1 - at);
      const thing = `${name}${index}`;
      const releaser = isRelease && releaserIn(project, thing, daysAgo);
      return {
        daysAgo,
        by: releaser || authorIn(project, thing, daysAgo),
        requests: requests.map((request) => ({ ...request, project })),
        run: (tx) => run(tx, { project, definition }),
      };
    }),
  ];
}
