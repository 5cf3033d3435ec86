import { changeGroup, createGroup } from '../modules/access/groups/index.ts';
import { createRole, getRootRole } from '../modules/access/roles/index.ts';
import { createPerson } from '../modules/access/users/index.ts';
import type { Db, Tx } from '../platform/db/database.ts';
import { type Chapter, numberOf } from './chapter.ts';

interface Colleague {
  readonly name: string;
  readonly email: string;
  readonly rootRole: string;
  readonly daysAgo: number;
}

/** One line each: name, root role, days since they joined. */
const colleagues: readonly Colleague[] = `
  Ada Holm         | Admin   | 190
  Bela Novak       | Editor  | 189
  Chidi Okafor     | Editor  | 188
  Dagny Berg       | Editor  | 187
  Elif Demir       | Editor  | 187
  Farah Haddad     | Editor  | 186
  Goran Petrov     | Editor  | 186
  Hana Mori        | Viewer  | 185
  Ines Duarte      | Viewer  | 150
  Jonas Weber      | Viewer  | 120
  Kaja Nilsen      | Viewer  | 88
  Lupe Herrera     | Auditor | 31`
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', rootRole = '', daysAgo = ''] = line.split('|').map((part) => part.trim());
    return { name, email: emailOf(name), rootRole, daysAgo: Number(daysAgo) };
  });

export function emailOf(name: string): string {
  return `${name.toLowerCase().replace(' ', '.')}@example.com`;
}

export const administrator = emailOf('Ada Holm');
/** A role for service accounts that set up others. */
export const provisioning = 'Provisioning';
export const releaseManager = { login: emailOf('Ines Duarte'), role: 'Release manager' };

interface Team {
  readonly name: string;
  readonly description: string;
  readonly projects: readonly string[];
  /** The first one owns the projects. */
  readonly people: readonly [string, ...string[]];
}

/** Ines is in no team, because members may do more than releasing. */
const teams: readonly Team[] = [
  {
    name: 'Web',
    description: 'Storefront and search',
    projects: ['web-shop', 'search', 'default'],
    people: ['Bela Novak', 'Elif Demir', 'Hana Mori'],
  },
  {
    name: 'Payments',
    description: 'Checkout and payments',
    projects: ['checkout'],
    people: ['Chidi Okafor', 'Farah Haddad', 'Kaja Nilsen'],
  },
  {
    name: 'Mobile',
    description: 'iOS and Android',
    projects: ['mobile'],
    people: ['Dagny Berg', 'Jonas Weber', 'Lupe Herrera'],
  },
  {
    name: 'Operations',
    description: 'Warehouse and infrastructure',
    projects: ['warehouse', 'platform', 'anniversary-sale'],
    people: ['Goran Petrov', 'Ada Holm'],
  },
];

export function teamOf(project: string): Team {
  const team = teams.find(({ projects }) => projects.includes(project));
  if (!team) throw new Error(`No team works in ${project}`);
  return team;
}

export const ownerOf = (project: string): string => emailOf(teamOf(project).people[0]);

/** The team member who did something in a project, always the same one for the same thing. */
export function authorIn(project: string, thing: string, daysAgo: number): string {
  const { people } = teamOf(project);
  const there = people.filter((name) => arrivalOf(name) - 1 > daysAgo);
  return emailOf(there[numberOf(thing) % there.length] ?? people[0]);
}

function arrivalOf(name: string): number {
  return colleagues.find((colleague) => colleague.name === name)?.daysAgo ?? 0;
}

/** The id of a person or service account. */
export async function findIdOf(db: Db, login: string): Promise<number | undefined> {
  const account = await db
    .selectFrom('users')
    .where(({ eb, or }) => or([eb('email', '=', login), eb('username', '=', login)]))
    .select('id')
    .executeTakeFirst();
  return account?.id;
}

export async function idOf(tx: Tx, login: string): Promise<number> {
  const id = await findIdOf(tx.db, login);
  if (id === undefined) throw new Error(`There is no ${login}`);
  return id;
}

/** The id of a group or role, by name. */
export async function idNamed(tx: Tx, table: 'groups' | 'roles', name: string): Promise<number> {
  const { id } = await tx.db
    .selectFrom(table)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}

const arrivals = colleagues.map(({ name, email, rootRole, daysAgo }): Chapter => {
  const run = async (tx: Tx) => {
    const { id } = await getRootRole(tx.db, rootRole, '/rootRole');
    return createPerson(tx, { name, email, rootRole: id });
  };
  // The first account has no author.
  if (email === administrator) return { daysAgo, requests: [], run };
  return { daysAgo, by: administrator, requests: [{ operation: 'createUser' }], run };
});

const teamsFounded = 184;

/** A team as a group, with the members who have joined by then. */
async function groupOf(tx: Tx, { name, description, people }: Team, daysAgo: number) {
  const users: { user: { id: number } }[] = [];
  for (const person of people.filter((each) => arrivalOf(each) > daysAgo)) {
    users.push({ user: { id: await idOf(tx, emailOf(person)) } });
  }
  return { name, description, mappingsSSO: [`shop-${name.toLowerCase()}`], users };
}

const founded = (team: Team): Chapter => ({
  daysAgo: teamsFounded,
  by: administrator,
  requests: [{ operation: 'createGroup' }],
  run: async (tx) => createGroup(tx, await groupOf(tx, team, teamsFounded)),
});

/** Later members join the team half a day after they arrive. */
const joined = (team: Team): Chapter[] =>
  team.people
    .map((person) => arrivalOf(person) - 0.5)
    .filter((daysAgo) => daysAgo < teamsFounded)
    .map((daysAgo) => ({
      daysAgo,
      by: administrator,
      requests: [{ operation: 'updateGroup' }],
      run: async (tx) =>
        changeGroup(tx, await idNamed(tx, 'groups', team.name), await groupOf(tx, team, daysAgo)),
    }));

const roles: readonly Chapter[] = [
  {
    daysAgo: 172.4,
    by: administrator,
    requests: [{ operation: 'createRole' }],
    run: (tx) =>
      createRole(tx, {
        name: releaseManager.role,
        description: 'Releases features to production',
        type: 'custom',
        permissions: [
          'CREATE_FEATURE_STRATEGY',
          'UPDATE_FEATURE_STRATEGY',
          'UPDATE_FEATURE_ENVIRONMENT',
        ].map((name) => ({ name, environment: 'production' })),
      }),
  },
  {
    daysAgo: 171.2,
    by: administrator,
    requests: [{ operation: 'createRole' }],
    run: (tx) =>
      createRole(tx, {
        name: 'Auditor',
        description: 'Views roles and audit data',
        type: 'root-custom',
        permissions: [{ name: 'READ_ROLE' }, { name: 'READ_LOGS' }],
      }),
  },
  {
    daysAgo: 141.5,
    by: administrator,
    requests: [{ operation: 'createRole' }],
    run: (tx) =>
      createRole(tx, {
        name: provisioning,
        description: 'Creates tokens for services',
        type: 'root-custom',
        permissions: ['READ_CLIENT_API_TOKEN', 'CREATE_CLIENT_API_TOKEN'].map((name) => ({ name })),
      }),
  },
];

export const people: readonly Chapter[] = [
  ...arrivals,
  ...teams.map(founded),
  ...teams.flatMap(joined),
  ...roles,
];
