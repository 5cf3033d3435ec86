import { expect, test } from 'vitest';
import { permissions } from '../../src/modules/access/gate/permissions.ts';
import { requirement } from './requirement.ts';

const words = (id: string) => permissions.find(({ name }) => name === id)?.displayName;

test.each([
  [['ADMIN'], undefined, `You need “${words('ADMIN')}” (ADMIN). Ask an admin.`],
  [
    ['CREATE_FEATURE'],
    'project default',
    `You need “${words('CREATE_FEATURE')}” (CREATE_FEATURE) in project default. Ask a project owner or an admin.`,
  ],
  [
    ['UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
    'project default',
    `You need “${words('UPDATE_SEGMENT')}” (UPDATE_SEGMENT) or “${words('UPDATE_PROJECT_SEGMENT')}” (UPDATE_PROJECT_SEGMENT) in project default. Ask a project owner or an admin.`,
  ],
  [['NOT_YET_KNOWN'], undefined, 'You need NOT_YET_KNOWN. Ask an admin.'],
])('%j in %s', (needed, where, expected) => {
  expect(requirement(needed, where)).toBe(expected);
});
