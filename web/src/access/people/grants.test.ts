import { expect, test } from 'vitest';
import { type Grant, grantsIn, held, type Source, sourceWords } from './grants.ts';

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

test('at installation level, only root permissions without a project count', () => {
  expect(names({ kind: 'installation' })).toEqual([['CREATE_SEGMENT', ['Editor']]]);
});

test('in an open project, root roles count too', () => {
  expect(names({ kind: 'project', id: 'shop', isOpen: true })).toEqual([
    [
      'CREATE_FEATURE',
      ['Editor', 'Member in shop, through the group Developers', 'Deployer in shop'],
    ],
    ['UPDATE_FEATURE_ENVIRONMENT', ['Deployer in shop']],
  ]);
});

test('in a protected project, only project roles count', () => {
  expect(names({ kind: 'project', id: 'shop', isOpen: false })[0]).toEqual([
    'CREATE_FEATURE',
    ['Member in shop, through the group Developers', 'Deployer in shop'],
  ]);
  expect(names({ kind: 'project', id: 'elsewhere', isOpen: false })).toEqual([]);
});

test('a permission lists its environments unless another role grants it for all', () => {
  const own = grant('UPDATE_FEATURE_ENVIRONMENT', { type: 'environment', project: 'shop' });
  const environmentsOf = (all: Grant[]) => held(all, sources).at(-1)?.environments;
  expect(environmentsOf(grants)).toEqual(['production']);
  expect(environmentsOf([...grants, own])).toEqual([]);
});
