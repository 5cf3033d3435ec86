import { roleIds } from '../modules/access/index.ts';
import { createGroup } from '../modules/groups/index.ts';
import { addRoles } from '../modules/project-access/index.ts';
import { createRole } from '../modules/roles/index.ts';
import { createPerson } from '../modules/users/index.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Chapter } from './story.ts';

interface Colleague {
  readonly name: string;
  readonly email: string;
  readonly daysAgo: number;
  readonly rootRole: number;
}

/** One line each: name, root role, since how many days. */
const colleagues: readonly Colleague[] = `
  Ada Holm         | admin  | 190
  Bela Novak       | editor | 189
  Chidi Okafor     | editor | 188
  Dagny Berg       | editor | 187
  Elif Demir       | editor | 187
  Farah Haddad     | editor | 186
  Goran Petrov     | editor | 186
  Hana Mori        | viewer | 185
  Ines Duarte      | viewer | 150
  Jonas Weber      | viewer | 120
  Kaja Nilsen      | viewer | 88
  Lupe Herrera     | viewer | 31`
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', role = '', daysAgo = ''] = line.split('|').map((part) => part.trim());
    const rootRole = roleIds[role as 'admin' | 'editor' | 'viewer'];
    return { name, email: emailOf(name), daysAgo: Number(daysAgo), rootRole };
  });

function emailOf(name: string): string {
  return `${name.toLowerCase().replace(' ', '.')}@example.com`;
}

interface Team {
  readonly name: string;
  readonly description: string;
  readonly projects: readonly string[];
  /** The first one owns the projects. */
  readonly people: readonly string[];
}

const teams: readonly Team[] = [
  {
    name: 'Web',
    description: 'Everything in a browser',
    projects: ['web-shop', 'search'],
    people: ['Bela Novak', 'Elif Demir', 'Hana Mori'],
  },
  {
    name: 'Payments',
    description: 'Basket to confirmation',
    projects: ['checkout'],
    people: ['Chidi Okafor', 'Farah Haddad', 'Ines Duarte'],
  },
  {
    name: 'Mobile',
    description: 'iOS and Android',
    projects: ['mobile'],
    people: ['Dagny Berg', 'Jonas Weber', 'Kaja Nilsen'],
  },
  {
    name: 'Operations',
    description: 'Keeps it all running',
    projects: ['warehouse', 'platform', 'black-friday-24'],
    people: ['Goran Petrov', 'Ada Holm'],
  },
];

const idOf = async (tx: Tx, name: string): Promise<number> => {
  const { id } = await tx.db
    .selectFrom('users')
    .where('email', '=', emailOf(name))
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
};

async function idsOf(tx: Tx, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) ids.push(await idOf(tx, name));
  return ids;
}

const administrator = emailOf('Ada Holm');

const arrivals: readonly Chapter[] = colleagues.map(({ name, email, daysAgo, rootRole }) => ({
  daysAgo,
  by: email === administrator ? undefined : administrator,
  tell: (tx) => createPerson(tx, { name, email, rootRole }),
}));

const here = (name: string, daysAgo: number) =>
  colleagues.some((colleague) => colleague.name === name && colleague.daysAgo > daysAgo);

/** Each team is a group with those who are there from the beginning; who comes later gets a role of their own. */
const founding = ({ name, description, people }: Team): Chapter => ({
  daysAgo: 184,
  by: administrator,
  tell: async (tx) =>
    createGroup(tx, {
      name,
      description,
      mappingsSSO: [`shop-${name.toLowerCase()}`],
      users: (
        await idsOf(
          tx,
          people.filter((person) => here(person, 184)),
        )
      ).map((id) => ({
        user: { id },
      })),
    }),
});

const groupNamed = async (tx: Tx, name: string): Promise<number> => {
  const { id } = await tx.db
    .selectFrom('groups')
    .where('name', '=', name)
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** A project belongs to the first of its team, and the team works in it. */
export const handedOver = (project: string, daysAgo: number): Chapter[] => {
  const team = teams.find(({ projects }) => projects.includes(project));
  const [owner] = team?.people ?? [];
  if (!team || !owner) return [];
  const later = team.people.filter((person) => !here(person, 184));
  return [
    {
      daysAgo: daysAgo - 0.1,
      by: administrator,
      tell: async (tx) =>
        addRoles(tx, project, {
          roles: [roleIds.owner],
          groups: [],
          users: [await idOf(tx, owner)],
        }),
    },
    {
      daysAgo: daysAgo - 0.2,
      by: emailOf(owner),
      tell: async (tx) =>
        addRoles(tx, project, {
          roles: [roleIds.member],
          groups: [await groupNamed(tx, team.name)],
          users: [],
        }),
    },
    ...later.map((person) => ({
      daysAgo: Math.min(
        daysAgo - 0.3,
        (colleagues.find(({ name }) => name === person)?.daysAgo ?? 0) - 0.5,
      ),
      by: emailOf(owner),
      tell: async (tx: Tx) =>
        addRoles(tx, project, {
          roles: [roleIds.member],
          groups: [],
          users: [await idOf(tx, person)],
        }),
    })),
  ];
};

/** Who of the team did something in a project, always the same one for the same thing. */
export function authorIn(project: string, thing: string): string | undefined {
  const team = teams.find(({ projects }) => projects.includes(project));
  const there = team?.people.filter((person) => here(person, 184)) ?? [];
  const number = [...thing].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const author = there[number % there.length];
  return author && emailOf(author);
}

const rules: readonly Chapter[] = [
  {
    daysAgo: 172,
    by: administrator,
    tell: (tx) =>
      createRole(tx, {
        name: 'Release manager',
        description: 'Decides what is on in production, and writes no features',
        type: 'custom',
        permissions: ['UPDATE_FEATURE_ENVIRONMENT', 'UPDATE_FEATURE_STRATEGY'].map((name) => ({
          name,
          environment: 'production',
        })),
      }),
  },
  {
    daysAgo: 171,
    by: administrator,
    tell: (tx) =>
      createRole(tx, {
        name: 'Auditor',
        description: 'Reads who may do what',
        type: 'root-custom',
        permissions: [{ name: 'READ_ROLE' }, { name: 'READ_LOGS' }],
      }),
  },
];

export const people: readonly Chapter[] = [...arrivals, ...teams.map(founding), ...rules];
