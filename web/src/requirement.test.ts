import { expect, test } from 'vitest';
import { permissions } from '../../src/modules/access/gate/permissions.ts';
import { requirement } from './requirement.ts';

const words = (id: string) => permissions.find(({ name }) => name === id)?.displayName;

test.each([
  [[], 'a project owner or an admin'],
  [['Ada'], 'Ada'],
  [['Ada', 'Bob'], 'Ada or Bob'],
  [['Ada', 'Bob', 'Cy', 'Di', 'Ed'], 'Ada, Bob, Cy, or 2 more'],
])('the hint for a missing permission with the owners %j says to ask %s', (owners, who) => {
  expect(requirement(['X'], 'project default', owners)).toBe(
    `You need X in project default. Ask ${who}.`,
  );
});

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
])(
  'the hint for the missing permissions %j in %s names them and who grants them',
  (needed, where, expected) => {
    expect(requirement(needed, where)).toBe(expected);
  },
);
