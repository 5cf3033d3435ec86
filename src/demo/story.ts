import { createContextField } from '../modules/context/index.ts';
import { changeEnvironment, createEnvironment } from '../modules/environments/index.ts';
import {
  addEnvironment,
  archiveProject,
  type CreateProject,
  changeProject,
  createProject,
  type ProjectChange,
  setDefaultStrategy,
} from '../modules/projects/index.ts';
import { createSegment } from '../modules/segments/index.ts';
import type { Tx } from '../platform/db/database.ts';
import { catalogue } from './catalogue.ts';
import { chaptersOf } from './lives.ts';
import { authorIn, handedOver, people } from './people.ts';

/** Something that happened in the past, told through the services that would have done it. */
export interface Chapter {
  readonly daysAgo: number;
  /** The address of whoever did it; left out, nobody in particular. */
  readonly by?: string | undefined;
  readonly tell: (tx: Tx) => Promise<unknown>;
}

const founded = (
  daysAgo: number,
  project: Omit<CreateProject, 'id'> & { id: string },
): Chapter[] => [
  { daysAgo, tell: (tx) => createProject(tx, project) },
  ...handedOver(project.id, daysAgo),
];

const changed = (daysAgo: number, project: string, change: ProjectChange): Chapter => ({
  daysAgo,
  by: authorIn(project, 'settings'),
  tell: (tx) => changeProject(tx, project, change),
});

const joined = (daysAgo: number, project: string, environment: string): Chapter => ({
  daysAgo,
  by: authorIn(project, environment),
  tell: (tx) => addEnvironment(tx, project, environment),
});

const rolledOut = (
  daysAgo: number,
  project: string,
  environment: string,
  rollout: string,
): Chapter => ({
  daysAgo,
  by: authorIn(project, rollout),
  tell: (tx) =>
    setDefaultStrategy(
      tx,
      { project, environment },
      {
        name: 'flexibleRollout',
        title: `Begin with ${rollout} %`,
        parameters: { rollout, stickiness: 'userId', groupId: project },
      },
    ),
});

const ofEachDay = (first: number, last: number, step: number, tell: (daysAgo: number) => Chapter) =>
  Array.from({ length: Math.floor((first - last) / step) }, (_, index) =>
    tell(first - index * step),
  );

const features = Object.entries(catalogue).flatMap(([project, tales]) =>
  tales.flatMap((tale) => chaptersOf(project, tale)),
);

/** A shop that grew over half a year: a dozen people in four teams, four environments, eight projects, a hundred features, and what became of them. */
export const story: readonly Chapter[] = [
  ...people,
  {
    daysAgo: 182,
    tell: (tx) =>
      createEnvironment(tx, {
        name: 'staging',
        type: 'pre-production',
        enabled: true,
        sortOrder: 150,
      }),
  },
  {
    daysAgo: 181,
    tell: (tx) =>
      createEnvironment(tx, { name: 'load-test', type: 'test', enabled: true, sortOrder: 120 }),
  },
  ...founded(180, {
    id: 'web-shop',
    name: 'Web shop',
    description: 'What customers see in a browser',
    environments: ['development', 'staging', 'production'],
  }),
  ...founded(176, {
    id: 'checkout',
    name: 'Checkout',
    description: 'Basket, payment, confirmation',
    environments: ['development', 'staging', 'production'],
    featureLimit: 60,
  }),
  ...founded(160, {
    id: 'mobile',
    name: 'Mobile apps',
    description: 'iOS and Android',
    environments: ['development', 'production'],
  }),
  ...founded(151, {
    id: 'search',
    name: 'Search and discovery',
    description: 'Finding things, and being found',
  }),
  ...founded(133, {
    id: 'warehouse',
    name: 'Warehouse',
    description: 'Stock, picking, shipping',
    environments: ['development', 'production'],
  }),
  ...founded(120, { id: 'black-friday-24', name: 'Black Friday 2024', description: 'One weekend' }),
  ...founded(75, { id: 'platform', name: 'Platform', description: 'What every team stands on' }),
  changed(170, 'checkout', {
    featureNaming: {
      pattern: 'pay-[a-z0-9-]+',
      example: 'pay-one-click',
      description: 'Begins with pay-, in small letters',
    },
  }),
  changed(168, 'checkout', { mode: 'protected' }),
  changed(140, 'web-shop', { defaultStickiness: 'userId' }),
  changed(101, 'checkout', { featureLimit: 80 }),
  changed(64, 'platform', {
    mode: 'private',
    description: 'What every team stands on; ask before you change it',
  }),
  changed(30, 'mobile', { name: 'Mobile', featureLimit: 100 }),
  rolledOut(150, 'web-shop', 'production', '25'),
  rolledOut(148, 'checkout', 'production', '5'),
  rolledOut(100, 'mobile', 'production', '10'),
  rolledOut(96, 'search', 'staging', '50'),
  joined(110, 'mobile', 'staging'),
  joined(92, 'warehouse', 'staging'),
  ...ofEachDay(90, 5, 7, (daysAgo) =>
    rolledOut(daysAgo, 'web-shop', 'production', String(100 - daysAgo)),
  ),
  { daysAgo: 60, tell: (tx) => changeEnvironment(tx, 'load-test', { enabled: false }) },
  { daysAgo: 12, tell: (tx) => changeEnvironment(tx, 'load-test', { enabled: true }) },
  {
    daysAgo: 174,
    tell: (tx) =>
      createContextField(tx, {
        name: 'country',
        description: 'Where the customer lives',
        stickiness: false,
        legalValues: ['DE', 'DK', 'FR', 'NL', 'SE'].map((value) => ({ value })),
      }),
  },
  {
    daysAgo: 166,
    tell: (tx) =>
      createSegment(tx, {
        name: 'Nordics',
        description: 'Customers in Denmark and Sweden',
        constraints: [{ contextName: 'country', operator: 'IN', values: ['DK', 'SE'] }],
      }),
  },
  {
    daysAgo: 65,
    tell: (tx) =>
      createSegment(tx, {
        name: 'Early adopters',
        description: 'Who asked to see things first',
        project: 'mobile',
        constraints: [{ contextName: 'userId', operator: 'STR_ENDS_WITH', values: ['7'] }],
      }),
  },
  ...features,
  { daysAgo: 20, tell: (tx) => archiveProject(tx, 'black-friday-24') },
];
