import { systemActor } from '../modules/access/gate/index.ts';
import { findRootRole, listRootRoles } from '../modules/access/roles/index.ts';
import {
  createResetLink,
  findPersonForSignIn,
  invitationUrl,
  invitePerson,
  listPeople,
  resetUrl,
  users,
} from '../modules/access/users/index.ts';
import type { Db } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { printable } from './printable.ts';
import { runEndpoint } from './run-endpoint.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

export const list = command({
  async run() {
    const { people, roles } = await withDatabaseToRead(async ({ db }) => ({
      people: await listPeople(db),
      roles: new Map((await listRootRoles(db)).map(({ id, name }) => [id, name])),
    }));
    process.stdout.write('ID\tUSERNAME AND EMAIL\tNAME\tROOT ROLE\tLAST ACTIVE\n');
    for (const { id, name, username, email, rootRole, seenAt } of people) {
      const seen = seenAt?.toISOString() ?? 'never';
      const logins = [username, email].filter((each) => each !== null).join(' ');
      const texts = [logins, name, roles.get(rootRole) ?? ''].map(printable);
      process.stdout.write(`${[id, ...texts, seen].join('\t')}\n`);
    }
  },
});

/** Finds the root role by name. */
async function rootRoleOf(db: Db, name: string): Promise<number> {
  const role = await findRootRole(db, name);
  if (role) return role.id;
  const names = (await listRootRoles(db)).map((each) => each.name).join(', ');
  throw new StartError(`Root role '${name}' not found. Available roles: ${names}.`);
}

const optionOf = { email: 'email', username: 'username', name: 'name', rootRole: 'role' } as const;

export const create = command({
  options: {
    email: {
      type: 'text',
      value: 'ADDRESS',
      does: 'email address; --email or --username is required',
    },
    username: {
      type: 'text',
      value: 'NAME',
      does: 'username; --email or --username is required',
    },
    role: {
      type: 'text',
      value: 'ROLE',
      required: true,
      does: 'name of a root role: Admin, Editor, Viewer, or a custom one',
    },
    name: { type: 'text', value: 'NAME', does: 'display name' },
  },
  notes: 'The link can be used once, within seven days.',
  async run({ email, username, name, role }) {
    if (email === undefined && username === undefined) {
      throw new StartError('Missing required option: --email or --username');
    }
    const names = {
      ...(email !== undefined && { email }),
      ...(username !== undefined && { username }),
      ...(name !== undefined && { name }),
    };
    const url = await withDatabase(({ transact, config }) =>
      transact(systemActor, async (tx) => {
        const input = { ...names, rootRole: await rootRoleOf(tx.db, role) };
        const { link } = await runEndpoint(users.contract.createUser, input, optionOf, (body) =>
          invitePerson(tx, body),
        );
        return invitationUrl(config.baseUrl, link?.secret ?? '');
      }),
    );
    // Standard output contains only the link, so that scripts can read it. It is not printed again.
    process.stdout.write(`${url}\n`);
  },
});

export const reset = command({
  operand: { name: 'NAME', required: true },
  notes: 'NAME is a username or email address. The current password works until the link is used.',
  async run(_values, login = '') {
    const url = await withDatabase(async ({ db, transact, config }) => {
      const person = await findPersonForSignIn(db, login);
      if (!person) throw new StartError(`User '${login}' not found`);
      const { link } = await transact(systemActor, (tx) => createResetLink(tx, person.id));
      return resetUrl(config.baseUrl, link.secret);
    });
    process.stdout.write(`${url}\n`);
  },
});
