import { parseArgs } from 'node:util';
import { systemActor } from '../modules/access/index.ts';
import {
  createToken,
  listTokens,
  newAdminSecret,
  newScopedSecret,
  revokeToken,
  revokeTokenById,
} from '../modules/tokens/index.ts';
import { maxInteger } from '../platform/http/schema.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

const usage = `burgee token create --name NAME [--type admin|client|frontend] [--project P] [--environment E] [--expires RFC3339]
burgee token list
burgee token revoke NAME | --id N`;

const isType = (text: string): text is 'admin' | 'client' | 'frontend' =>
  ['admin', 'client', 'frontend'].includes(text);

function parseCreate(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      name: { type: 'string' },
      type: { type: 'string', default: 'admin' },
      project: { type: 'string', default: '*' },
      environment: { type: 'string', default: 'development' },
      expires: { type: 'string' },
    },
  });
  const { name, type, project, environment, expires } = values;
  if (!name || !isType(type)) throw new StartError(usage);
  const expiresAt = expires === undefined ? null : new Date(expires);
  if (expiresAt && Number.isNaN(expiresAt.getTime())) {
    throw new StartError(`--expires must be a date such as 2027-01-31T00:00:00Z, not '${expires}'`);
  }
  const scope = { project, environment };
  const secret = type === 'admin' ? newAdminSecret() : newScopedSecret(scope);
  return { name, type, secret, scope, expiresAt, origin: 'command line' as const };
}

async function create(args: readonly string[]): Promise<void> {
  const wish = parseCreate(args);
  await withDatabase(({ transact, encryptionKeys }) =>
    transact(systemActor, (tx) => createToken(tx, wish, encryptionKeys)),
  );
  // On standard output alone, so that a script can take it.
  process.stdout.write(`${wish.secret}\n`);
}

async function list(): Promise<void> {
  const tokens = await withDatabaseToRead(({ db }) => listTokens(db));
  for (const { id, name, type, environment, projects, createdAt, expiresAt, revokedAt } of tokens) {
    const state = revokedAt ? 'revoked' : expiresAt ? `until ${expiresAt.toISOString()}` : 'valid';
    const reach = type === 'admin' ? '' : ` ${projects.join(',')}:${environment}`;
    process.stdout.write(`${id}\t${name}\t${type}${reach}\t${createdAt.toISOString()}\t${state}\n`);
  }
}

function parseRevoke(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { id: { type: 'string' } },
    allowPositionals: true,
  });
  const [name, ...more] = positionals;
  const { id } = values;
  if (more.length > 0 || (name === undefined) === (id === undefined)) throw new StartError(usage);
  if (id !== undefined && !(/^\d{1,10}$/.test(id) && Number(id) <= maxInteger)) {
    throw new StartError(`--id must be a number that \`burgee token list\` shows, not '${id}'`);
  }
  return { name, id: id === undefined ? undefined : Number(id) };
}

async function revoke(args: readonly string[]): Promise<void> {
  const { name, id } = parseRevoke(args);
  await withDatabase(({ transact }) =>
    transact(systemActor, (tx) =>
      id === undefined ? revokeToken(tx, name as string) : revokeTokenById(tx, id),
    ),
  );
  process.stdout.write(`Revoked ${name ?? id}.\n`);
}

export async function run([action, ...args]: readonly string[]): Promise<void> {
  if (action === 'create') return create(args);
  if (action === 'list') return list();
  if (action === 'revoke') return revoke(args);
  throw new StartError(usage);
}
