import { expect, test } from 'vitest';
import { adminPages } from '../access/admin-pages.ts';
import { allowedPages } from './allowed-pages.ts';

const paths = (...held: readonly string[]) =>
  allowedPages((permission) => held.includes(permission)).map(({ to }) => to);

test('the administration lists only pages that the user may open', () => {
  expect(paths()).toEqual([]);
  expect(paths('READ_ROLE')).toEqual(['/admin/roles']);
  expect(paths('UPDATE_CORS', 'READ_FRONTEND_API_TOKEN')).toEqual(['/admin/api', '/admin/cors']);
});

test('a user with all permissions sees all administration pages', () => {
  expect(allowedPages(() => true)).toEqual(adminPages);
});
