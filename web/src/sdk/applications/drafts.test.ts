import { expect, test } from 'vitest';
import { draftsOf } from './drafts.ts';

type Application = Parameters<typeof draftsOf>[1][number];

const app = (appName: string, ...projects: string[]) =>
  ({
    appName,
    usage: projects.map((project) => ({ project, environments: [] })),
  }) as unknown as Application;

const asked = (name: string, appName: string, seenAt: string, environment = 'production') => ({
  name,
  appName,
  environment,
  seenAt,
});

const projects = [
  { id: 'mobile', favorite: false },
  { id: 'shop', favorite: false },
  { id: 'pay', favorite: true },
];

test('unknown flags of the same name become one draft, and drafts are sorted latest first', () => {
  const drafts = draftsOf(
    [
      asked('old', 'web', '2026-11-01T00:00:00.000Z'),
      asked('new', 'web', '2026-11-02T00:00:00.000Z', 'staging'),
      asked('new', 'app', '2026-11-03T00:00:00.000Z'),
    ],
    [],
    projects,
  );
  expect(drafts).toMatchObject([
    {
      name: 'new',
      applications: ['app', 'web'],
      environments: ['production', 'staging'],
      seenAt: '2026-11-03T00:00:00.000Z',
    },
    { name: 'old', applications: ['web'] },
  ]);
});

test('a draft suggests projects of its applications first, then favorites', () => {
  const [draft] = draftsOf(
    [asked('new', 'web', '1'), asked('new', 'app', '1')],
    [app('web', 'shop', 'gone'), app('app', 'mobile', 'shop')],
    projects,
  );
  expect(draft?.projects).toEqual(['shop', 'mobile', 'pay']);
  const [nowhere] = draftsOf([asked('new', 'web', '1')], [app('web', '*')], projects);
  expect(nowhere?.projects).toEqual(['pay', 'mobile', 'shop']);
});
