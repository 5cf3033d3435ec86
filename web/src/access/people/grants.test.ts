import { expect, test } from 'vitest';
import {
  accessWithoutPermissions,
  type Grant,
  grantsIn,
  held,
  type Source,
  scopeGroups,
  sourceWords,
} from './grants.ts';

const role = (id: number, name: string) => ({
  id,
  name,
  type: 'project' as const,
  description: '',
});
const sources: Source[] = [
  { role: role(2, 'Editor'), project: null },
  { role: role(5, 'Member'), project: 'shop', group: { id: 1, name: 'Developers' } },
  { role: role(7, 'Deployer'), project: 'shop' },
];
const grant = (permission: string, more: Partial<Grant> = {}): Grant => ({
  permission,
  displayName: permission,
  type: 'project',
  project: null,
  environment: null,
  sources: [0],
  ...more,
});

const grants = [
  grant('CREATE_SEGMENT', { type: 'root' }),
  grant('CREATE_FEATURE'),
  grant('CREATE_FEATURE', { project: 'shop', sources: [1, 2] }),
  grant('UPDATE_FEATURE_ENVIRONMENT', {
    type: 'environment',
    project: 'shop',
    environment: 'production',
    sources: [2],
  }),
];
const names = (place: Parameters<typeof grantsIn>[1]) =>
  held(grantsIn(grants, place), sources).map(({ permission, sources: through }) => [
    permission,
    through.map((source) => sourceWords(source, (id) => id)),
  ]);

test('in the instance, only root permissions without a project count', () => {
  expect(names({ kind: 'instance' })).toEqual([['CREATE_SEGMENT', ['Editor']]]);
});

test('in an open project, root roles count too', () => {
  expect(names({ kind: 'project', id: 'shop', isOpen: true })).toEqual([
    ['CREATE_FEATURE', ['Editor', 'Member in shop, via group Developers', 'Deployer in shop']],
    ['UPDATE_FEATURE_ENVIRONMENT', ['Deployer in shop']],
  ]);
});

test('in a protected project, only project roles count', () => {
  expect(names({ kind: 'project', id: 'shop', isOpen: false })[0]).toEqual([
    'CREATE_FEATURE',
    ['Member in shop, via group Developers', 'Deployer in shop'],
  ]);
  expect(names({ kind: 'project', id: 'elsewhere', isOpen: false })).toEqual([]);
});

test('a permission lists its environments unless another role grants it for all', () => {
  const own = grant('UPDATE_FEATURE_ENVIRONMENT', { type: 'environment', project: 'shop' });
  const environmentsOf = (all: Grant[]) => held(all, sources).at(-1)?.environments;
  expect(environmentsOf(grants)).toEqual(['production']);
  expect(environmentsOf([...grants, own])).toEqual([]);
});

test('projects are grouped by whether the user has a role in them', () => {
  const projects = ['web', 'shop', 'app'].map((id) => ({ id, name: id.toUpperCase() }));
  expect(scopeGroups(projects, sources)).toEqual([
    { group: 'Projects with a role', items: [{ value: 'shop', label: 'SHOP' }] },
    {
      group: 'Other projects',
      items: [
        { value: 'app', label: 'APP' },
        { value: 'web', label: 'WEB' },
      ],
    },
  ]);
});

test.each([
  ['the instance', undefined, 'Read-only access'],
  ['an open project', { id: 'web', name: 'Web', mode: 'open' }, 'Read-only access'],
  ["another user's private project", { id: 'web', name: 'Web', mode: 'private' }, 'No access'],
  ['their private project', { id: 'shop', name: 'Shop', mode: 'private' }, 'Read-only access'],
])('a user without permissions sees what access they have in %s', (_, project, access) => {
  expect(accessWithoutPermissions(project, sources)).toBe(access);
});
