import { parseArgs } from 'node:util';
import { systemActor } from '../modules/access/index.ts';
import { findRootRole, listRootRoles } from '../modules/roles/index.ts';
import {
  findPersonForSignIn,
  invitationUrl,
  invitePerson,
  listPeople,
  offerReset,
  resetUrl,
} from '../modules/users/index.ts';
import type { Db } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

const usage = `burgee user list
burgee user create --email ADDRESS|--username NAME --role ROLE [--name NAME]
burgee user reset NAME

create and reset print a link, good once, by which the person chooses a password. ROLE is the name of a
root role, such as Viewer; NAME is the user name or the address of a person.`;

async function list(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new StartError(usage);
  const { people, roles } = await withDatabaseToRead(async ({ db }) => ({
    people: await listPeople(db),
    roles: new Map((await listRootRoles(db)).map(({ id, name }) => [id, name])),
  }));
  for (const { id, name, username, email, rootRole, seenAt } of people) {
    const seen = seenAt ? `seen ${seenAt.toISOString()}` : 'never seen';
    const logins = [username, email].filter((each) => each !== null).join(' ');
    process.stdout.write(`${id}\t${logins}\t${name}\t${roles.get(rootRole)}\t${seen}\n`);
  }
}

/** Nobody becomes an administrator because a word was forgotten. */
async function rootRoleOf(db: Db, name: string | undefined): Promise<number> {
  const role = name === undefined ? undefined : await findRootRole(db, name);
  if (role) return role.id;
  const names = (await listRootRoles(db)).map((each) => each.name).join(', ');
  const what = name === undefined ? '--role is missing' : `There is no root role '${name}'`;
  throw new StartError(`${what}: choose one of ${names}.`);
}

async function create(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      email: { type: 'string' },
      username: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
    },
  });
  const { email, username, name, role } = values;
  if (email === undefined && username === undefined) throw new StartError(usage);
  const url = await withDatabase(({ transact, config }) =>
    transact(systemActor, async (tx) => {
      const rootRole = await rootRoleOf(tx.db, role);
      const { link } = await invitePerson(tx, { email, username, name, rootRole });
      return invitationUrl(config.baseUrl, link?.secret ?? '');
    }),
  );
  // On standard output alone, so that a script can take it; it is not shown again.
  process.stdout.write(`${url}\n`);
}

async function reset([login, ...more]: readonly string[]): Promise<void> {
  if (!login || more.length > 0) throw new StartError(usage);
  const url = await withDatabase(async ({ db, transact, config }) => {
    const person = await findPersonForSignIn(db, login);
    if (!person) throw new StartError(`There is nobody with the user name or address '${login}'.`);
    const { link } = await transact(systemActor, (tx) => offerReset(tx, person.id));
    return resetUrl(config.baseUrl, link.secret);
  });
  process.stdout.write(`${url}\n`);
}

export async function run([action, ...args]: readonly string[]): Promise<void> {
  if (action === 'list') return list(args);
  if (action === 'create') return create(args);
  if (action === 'reset') return reset(args);
  throw new StartError(usage);
}
