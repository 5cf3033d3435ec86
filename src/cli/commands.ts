import type { Command } from './command.ts';

interface Entry {
  readonly does: string;
  readonly load: () => Promise<Command>;
}

/** All commands by name. Each is loaded on demand, so that a command does not load the code of the others. */
export const commands: Readonly<Record<string, Entry>> = {
  serve: {
    does: 'start the server (see docs/configuration.md for settings)',
    load: async () => (await import('./serve.ts')).serve,
  },
  migrate: {
    does: 'run pending database migrations and exit',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  demo: {
    does: 'create demo data with six months of history',
    load: async () => (await import('./demo.ts')).demo,
  },
  openapi: {
    does: 'print the OpenAPI document, or write it to a file',
    load: async () => (await import('./openapi.ts')).openapi,
  },
  edge: {
    does: 'serve SDKs close to users, without a database (see docs/edge.md)',
    load: async () => (await import('./edge.ts')).edge,
  },
  offline: {
    does: 'serve SDKs from a file, without a server',
    load: async () => (await import('./edge.ts')).offline,
  },
  health: {
    does: 'check whether an edge is alive',
    load: async () => (await import('./edge.ts')).health,
  },
  ready: {
    does: 'check whether an edge can serve SDKs',
    load: async () => (await import('./edge.ts')).ready,
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
    does: 'create a user and print an invite link',
    load: async () => (await import('./user.ts')).create,
  },
  'user list': {
    does: 'list all users',
    load: async () => (await import('./user.ts')).list,
  },
  'user reset': {
    does: 'print a password reset link for a user',
    load: async () => (await import('./user.ts')).reset,
  },
  'import unleash': {
    does: 'import everything from Unleash, including its event log',
    load: async () => (await import('./import-unleash.ts')).importUnleash,
  },
  import: {
    does: 'import a file created by burgee export',
    load: async () => (await import('./import-document.ts')).importDocument,
  },
  export: {
    does: 'export everything to a file, or the features of one environment in Unleash format',
    load: async () => (await import('./export.ts')).exportInstallation,
  },
  debt: {
    does: "check a project's stale features against its budget (for CI)",
    load: async () => (await import('./debt.ts')).debt,
  },
  verify: {
    does: "verify that the event log hasn't been tampered with",
    load: async () => (await import('./verify.ts')).verify,
  },
  forget: {
    does: 'delete a user and erase their identity from the event log',
    load: async () => (await import('./forget.ts')).forget,
  },
  backup: {
    does: 'back up the database to a file (safe while the server is running)',
    load: async () => (await import('./backup.ts')).backup,
  },
  'backup check': {
    does: 'verify a backup without restoring it',
    load: async () => (await import('./backup.ts')).check,
  },
  restore: {
    does: 'restore a backup',
    load: async () => (await import('./restore.ts')).restore,
  },
  upgrade: {
    does: 'upgrade the embedded PostgreSQL to the current major version',
    load: async () => (await import('./upgrade.ts')).upgrade,
  },
  doctor: {
    does: 'check the installation for problems',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  'key export': {
    does: 'print the current and retired checkpoint public keys',
    load: async () => (await import('./key.ts')).exportKeys,
  },
  'key rotate': {
    does: 'rotate the checkpoint signing key',
    load: async () => (await import('./key.ts')).rotate,
  },
  'key reseal': {
    does: 're-encrypt stored secrets with the first key in ENCRYPTION_KEY',
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
