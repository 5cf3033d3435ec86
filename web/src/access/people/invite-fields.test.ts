import { expect, test } from 'vitest';
import { adminRole, missingInInvite } from './invite-fields.ts';

const fields = { email: '', username: '', withEmail: true, rootRole: '3', places: [] };
const email = 'nora@example.com';
const places = [{ project: null, role: '5' }];

test.each([
  [{}, 'Enter an email'],
  [{ username: 'nora' }, 'Enter an email'],
  [{ withEmail: false, email }, 'Enter a username'],
  [{ withEmail: false, username: 'nora' }, undefined],
  [{ email }, undefined],
  [{ email, places }, 'Select a project or remove the row'],
  [{ email, places, rootRole: adminRole }, undefined],
])('an invite with %j lacks: %s', (filled, missing) => {
  expect(missingInInvite({ ...fields, ...filled })).toBe(missing);
});
