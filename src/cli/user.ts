import { parseArgs } from 'node:util';
import { systemActor } from '../modules/access/index.ts';
import { getRootRole } from '../modules/roles/index.ts';
import {
  findPersonForSignIn,
  invitationUrl,
  invitePerson,
  listPeople,
  offerReset,
  resetUrl,
} from '../modules/users/index.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

const usage = `burgee user list
burgee user create --email ADDRESS|--username NAME [--name NAME] [--role ROLE]
burgee user reset NAME

create and reset print a link, good once, by which the person chooses a password. ROLE is the name of a
root role, as a rule Admin; NAME is the user name or the address of a person.`;

async function list(): Promise<void> {
  const people = await withDatabaseToRead(({ db }) => listPeople(db));
  for (const { id, name, username, email, rootRole, seenAt } of people) {
    const seen = seenAt ? `seen ${seenAt.toISOString()}` : 'never seen';
    process.stdout.write(
      `${id}\t${[username, email].filter((each) => each !== null).join(' ')}\t${name}\trole ${rootRole}\t${seen}\n`,
    );
  }
}

async function create(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      email: { type: 'string' },
      username: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string', default: 'Admin' },
    },
  });
  const { email, username, name, role } = values;
  if (email === undefined && username === undefined) throw new StartError(usage);
  const url = await withDatabase(({ transact, config }) =>
    transact(systemActor, async (tx) => {
      const { id: rootRole } = await getRootRole(tx.db, role, '--role');
      const { link } = await invitePerson(tx, { email, username, name, rootRole });
      return invitationUrl(config.baseUrl, link?.secret ?? '');
    }),
  );
  // On standard output alone, so that a script can take it; it is not shown again.
  process.stdout.write(`${url}\n`);
}

async function reset(login: string | undefined): Promise<void> {
  if (!login) throw new StartError(usage);
  const url = await withDatabase(async ({ db, transact, config }) => {
    const person = await findPersonForSignIn(db, login);
    if (!person) throw new StartError(`There is nobody with the user name or address '${login}'.`);
    const { link } = await transact(systemActor, (tx) => offerReset(tx, person.id));
    return resetUrl(config.baseUrl, link.secret);
  });
  process.stdout.write(`${url}\n`);
}

export async function run([action, ...args]: readonly string[]): Promise<void> {
  if (action === 'list') return list();
  if (action === 'create') return create(args);
  if (action === 'reset') return reset(args[0]);
  throw new StartError(usage);
}
