import { expect, test } from 'vitest';
import {
  compared,
  keyOf,
  permissionOf,
  type RoleWithPermissions,
  textChange,
  toggled,
  withoutPermissions,
} from './role-draft.ts';

const role = (...permissions: readonly string[]): RoleWithPermissions => ({
  id: 7,
  type: 'custom',
  name: 'Deployer',
  description: '',
  permissions: permissions.map((key, index) => ({
    ...permissionOf(key),
    id: index,
    displayName: key,
    type: 'environment',
  })),
});

test('a permission key distinguishes one environment from all', () => {
  expect(permissionOf(keyOf('UPDATE_FEATURE'))).toEqual({ name: 'UPDATE_FEATURE' });
  expect(permissionOf(keyOf('UPDATE_FEATURE', 'made in spain'))).toEqual({
    name: 'UPDATE_FEATURE',
    environment: 'made in spain',
  });
});

test('a permission for all environments replaces those for single ones', () => {
  const some = toggled(['A in dev', 'B in dev'], 'A in prod', true);
  expect(some).toEqual(['A in dev', 'A in prod', 'B in dev']);
  expect(toggled(some, 'A', true)).toEqual(['A', 'B in dev']);
  expect(toggled(some, 'A in dev', false)).toEqual(['A in prod', 'B in dev']);
});

test('when roles are compared, a permission for all environments includes each environment', () => {
  const found = compared(role('A', 'B in dev'), role('A in prod', 'C'));
  expect(found.map(({ key, inOne, inOther }) => [key, inOne, inOther])).toEqual([
    ['A', true, false],
    ['A in prod', true, true],
    ['B in dev', true, false],
    ['C', false, true],
  ]);
});

test('when roles are compared, ADMIN includes every permission', () => {
  expect(compared(role('ADMIN'), role('A')).map(({ inOne }) => inOne)).toEqual([true, true]);
});

test('a changed text is shown with its old value', () => {
  expect(textChange('name', 'Tester', ' Auditor ')).toBe('name “Tester” → “Auditor”');
  expect(textChange('description', '', 'Reads logs')).toBe('description none → “Reads logs”');
});

test('a role without permissions is described as read-only access', () => {
  expect(withoutPermissions({ type: 'custom' })).toBe('Read-only access to the project.');
  expect(withoutPermissions({ type: 'root-custom' })).toBe(
    'Read-only access to everything except private projects.',
  );
});
