import { expect, test } from 'vitest';
import { adminPages } from '../access/admin-pages.ts';
import { allowedPages } from './allowed-pages.ts';

const paths = (...held: readonly string[]) =>
  allowedPages((permission) => held.includes(permission)).map(({ to }) => to);

test('the administration offers only pages that can be opened', () => {
  expect(paths()).toEqual([]);
  expect(paths('READ_ROLE')).toEqual(['/admin/roles']);
  expect(paths('UPDATE_CORS', 'READ_FRONTEND_API_TOKEN')).toEqual(['/admin/api', '/admin/cors']);
});

test('someone with all permissions is offered all pages', () => {
  expect(allowedPages(() => true)).toEqual(adminPages);
});
