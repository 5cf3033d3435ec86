import { roleIds } from '../modules/access/gate/index.ts';
import { addRoles, removeRoles } from '../modules/access/project-access/index.ts';
import {
  addEnvironment,
  archiveProject,
  type CreateProject,
  changeProject,
  createProject,
  type ProjectChange,
  setDefaultStrategy,
} from '../modules/catalogue/projects/index.ts';
import type { Chapter } from './chapter.ts';
import { administrator, idNamed, idOf, ownerOf, teamOf } from './people.ts';

/** Makes the first member of the team the owner of a project, and the team its members. */
const handedOver = (daysAgo: number, project: string): Chapter[] => [
  {
    daysAgo,
    by: administrator,
    requests: [{ operation: 'addAccessToProject', project }],
    run: async (tx) =>
      addRoles(tx, project, {
        roles: [roleIds.owner],
        groups: [],
        users: [await idOf(tx, ownerOf(project))],
      }),
  },
  {
    daysAgo: daysAgo - 0.1,
    by: ownerOf(project),
    requests: [{ operation: 'addAccessToProject', project }],
    run: async (tx) =>
      addRoles(tx, project, {
        roles: [roleIds.member],
        groups: [await idNamed(tx, 'groups', teamOf(project).name)],
        users: [],
      }),
  },
];

/** The creator of a project owns it until it is handed over. */
const founded = (
  daysAgo: number,
  project: Omit<CreateProject, 'id'> & { id: string },
): Chapter[] => [
  {
    daysAgo,
    by: administrator,
    requests: [{ operation: 'createProject' }],
    run: (tx) => createProject(tx, project),
  },
  ...handedOver(daysAgo - 0.1, project.id),
  {
    daysAgo: daysAgo - 0.3,
    by: administrator,
    requests: [{ operation: 'removeUserAccess', project: project.id }],
    run: async (tx) =>
      removeRoles(tx, {
        project: project.id,
        kind: 'user',
        holder: await idOf(tx, administrator),
      }),
  },
];

const changed = (daysAgo: number, project: string, change: ProjectChange): Chapter => ({
  daysAgo,
  by: ownerOf(project),
  requests: [{ operation: 'updateProject', project }],
  run: (tx) => changeProject(tx, project, change),
});

const joined = (daysAgo: number, project: string, environment: string): Chapter => ({
  daysAgo,
  by: ownerOf(project),
  requests: [{ operation: 'addEnvironmentToProject', project }],
  run: (tx) => addEnvironment(tx, project, { environment }),
});

const rolledOut = (
  daysAgo: number,
  project: string,
  environment: string,
  rollout: string,
): Chapter => ({
  daysAgo,
  by: ownerOf(project),
  requests: [{ operation: 'addDefaultStrategyToProjectEnvironment', project, environment }],
  run: (tx) =>
    setDefaultStrategy(
      tx,
      { project, environment },
      {
        name: 'flexibleRollout',
        title: `Start at ${rollout}%`,
        parameters: { rollout, stickiness: 'userId', groupId: project },
      },
    ),
});

const ofEachDay = (
  first: number,
  last: number,
  step: number,
  chapterOf: (daysAgo: number) => Chapter,
) =>
  Array.from({ length: Math.floor((first - last) / step) }, (_, index) =>
    chapterOf(first - index * step),
  );

/** The shop's projects, and the decisions of their owners. */
export const projects: readonly Chapter[] = [
  ...handedOver(183, 'default'),
  ...founded(180, {
    id: 'web-shop',
    name: 'Web shop',
    description: 'The storefront in the browser',
    environments: ['development', 'staging', 'production'],
  }),
  ...founded(176, {
    id: 'checkout',
    name: 'Checkout',
    description: 'Cart, payment, and confirmation',
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
    description: 'Search, suggestions, and recommendations',
  }),
  ...founded(133, {
    id: 'warehouse',
    name: 'Warehouse',
    description: 'Inventory, picking, and shipping',
    environments: ['development', 'production'],
  }),
  ...founded(120, {
    id: 'anniversary-sale',
    name: 'Anniversary sale',
    description: 'Campaign for the tenth anniversary',
  }),
  ...founded(75, {
    id: 'platform',
    name: 'Platform',
    description: 'Infrastructure that all teams use',
  }),
  changed(170, 'checkout', {
    featureNaming: {
      pattern: 'pay-[a-z0-9-]+',
      example: 'pay-one-click',
      description: 'Starts with pay-, lowercase',
    },
  }),
  changed(168, 'checkout', { mode: 'protected' }),
  changed(140, 'web-shop', { defaultStickiness: 'userId' }),
  changed(101, 'checkout', { featureLimit: 80 }),
  changed(64, 'platform', {
    mode: 'private',
    description: 'Infrastructure that all teams use; ask before you change anything',
  }),
  changed(30, 'mobile', { name: 'Mobile', featureLimit: 100 }),
  changed(26, 'web-shop', { budget: { maxStale: 4, minHealth: 70 } }),
  changed(25, 'checkout', { budget: { maxStale: 12 } }),
  changed(23, 'mobile', { budget: { minHealth: 50 } }),
  rolledOut(150, 'web-shop', 'production', '25'),
  rolledOut(148, 'checkout', 'production', '5'),
  rolledOut(100, 'mobile', 'production', '10'),
  rolledOut(96, 'search', 'staging', '50'),
  joined(110, 'mobile', 'staging'),
  joined(92, 'warehouse', 'staging'),
  ...ofEachDay(90, 5, 7, (daysAgo) =>
    rolledOut(daysAgo, 'web-shop', 'production', String(100 - daysAgo)),
  ),
  {
    daysAgo: 20,
    by: ownerOf('anniversary-sale'),
    requests: [{ operation: 'archiveProject', project: 'anniversary-sale' }],
    run: (tx) => archiveProject(tx, 'anniversary-sale'),
  },
];
