import { expect, test } from 'vitest';
import { permissions } from '../../../../src/modules/access/gate/permissions.ts';
import { grouped, permissionNotes } from './permission-groups.ts';

const groupsOf = (type: string) =>
  grouped(permissions.filter((permission) => permission.type === type)).map(([group]) => group);

test('permissions are grouped by subject', () => {
  expect(groupsOf('root')).toEqual([
    'Admin',
    'Projects',
    'Integrations',
    'API tokens',
    'Applications',
    'Context fields',
    'Segments',
    'Strategy types',
    'Tag types',
    'Administration',
    'Release plan templates',
  ]);
  expect(groupsOf('project')).toEqual([
    'Project and members',
    'Project settings',
    'Change requests',
    'API tokens',
    'Segments',
    'Features',
  ]);
  expect(groupsOf('environment')).toEqual(['Feature configuration', 'Change requests']);
});

test("managing members is said to be limited to roles within one's own permissions", () => {
  expect(permissionNotes.PROJECT_USER_ACCESS_WRITE).toContain('up to their own permissions');
});

test('notes exist only for existing permissions', () => {
  const known = new Set(permissions.map(({ name }) => name));
  expect(Object.keys(permissionNotes).filter((name) => !known.has(name))).toEqual([]);
});
