import type { Command } from './command.ts';

interface Entry {
  readonly does: string;
  readonly load: () => Promise<Command>;
}

/** All commands by name. Each is loaded on demand, so that a command does not load the code of the others. */
export const commands: Readonly<Record<string, Entry>> = {
  serve: {
    does: 'start the server (configured by environment variables, see docs/configuration.md)',
    load: async () => (await import('./serve.ts')).serve,
  },
  migrate: {
    does: 'update the database schema, then exit',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  demo: {
    does: 'fill a new installation with demo data and months of history',
    load: async () => (await import('./demo.ts')).demo,
  },
  openapi: {
    does: 'print the OpenAPI document, or write it to a file',
    load: async () => (await import('./openapi.ts')).openapi,
  },
  'token create': {
    does: 'create an API token and print its secret',
    load: async () => (await import('./token.ts')).create,
  },
  'token list': {
    does: 'list all API tokens',
    load: async () => (await import('./token.ts')).list,
  },
  'token revoke': {
    does: 'revoke an API token permanently',
    load: async () => (await import('./token.ts')).revoke,
  },
  'user create': {
    does: 'create a user and print a link to choose a password',
    load: async () => (await import('./user.ts')).create,
  },
  'user list': {
    does: 'list all users',
    load: async () => (await import('./user.ts')).list,
  },
  'user reset': {
    does: 'print a link for a user to choose a new password',
    load: async () => (await import('./user.ts')).reset,
  },
  'import unleash': {
    does: 'bring everything over from Unleash, with its event log',
    load: async () => (await import('./import-unleash.ts')).importUnleash,
  },
  import: {
    does: 'bring everything over from a document that burgee export wrote',
    load: async () => (await import('./import-document.ts')).importDocument,
  },
  export: {
    does: 'write everything to a document that burgee import takes, or features as Unleash does',
    load: async () => (await import('./export.ts')).exportInstallation,
  },
  debt: {
    does: 'list the stale features of a project and fail over a limit (for CI)',
    load: async () => (await import('./debt.ts')).debt,
  },
  verify: {
    does: 'verify the event log and name the first event that was changed',
    load: async () => (await import('./verify.ts')).verify,
  },
  forget: {
    does: 'erase a person: the account, and their identity in the event log, which still verifies',
    load: async () => (await import('./forget.ts')).forget,
  },
  backup: {
    does: 'write the whole database into one file, also while a server is running',
    load: async () => (await import('./backup.ts')).backup,
  },
  'backup check': {
    does: 'verify a backup without restoring it',
    load: async () => (await import('./backup.ts')).check,
  },
  restore: {
    does: 'restore a backup into an empty database, or replace what it contains',
    load: async () => (await import('./restore.ts')).restore,
  },
  upgrade: {
    does: 'convert the embedded database to the PostgreSQL version of this Burgee',
    load: async () => (await import('./upgrade.ts')).upgrade,
  },
  doctor: {
    does: 'check version, schema, disk, database, event log, keys, clock, deliveries and address',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  'key export': {
    does: 'print all current and former public keys that sign checkpoints',
    load: async () => (await import('./key.ts')).exportKeys,
  },
  'key rotate': {
    does: 'create a new key for checkpoints; the old public key is kept',
    load: async () => (await import('./key.ts')).rotate,
  },
  'key reseal': {
    does: 're-encrypt stored secrets with the first ENCRYPTION_KEY, so that the others can be retired',
    load: async () => (await import('./key.ts')).reseal,
  },
  version: {
    does: 'print the version',
    load: async () => (await import('./version.ts')).printVersion,
  },
};

/** Finds the command that the first words name. Inherited properties such as `toString` do not count. */
export function findCommand(words: readonly string[]): (Entry & { name: string }) | undefined {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) =>
    Object.hasOwn(commands, each),
  );
  const entry = name === undefined ? undefined : commands[name];
  return entry && name !== undefined ? { ...entry, name } : undefined;
}

/** Lists the commands that share a first word, or all commands. */
export const listCommands = (group?: string): (readonly [string, string])[] =>
  Object.entries(commands)
    .filter(([name]) => group === undefined || name.startsWith(`${group} `))
    .map(([name, { does }]) => [name, does]);
