import {
  compareDefinitions,
  createReadingClient,
  environmentsInUse,
  type ReadingClient,
  readApplications,
  readEnvironments,
  readOwn,
  readOwnDefinition,
  readTheirDefinition,
  readTokens,
  type Verification,
} from '../modules/migration/index.ts';
import { counted } from '../platform/counted.ts';
import { StartError } from '../platform/start-error.ts';
import { printable } from './printable.ts';
import type { CommandContext } from './with-database.ts';

/** Contexts that `--verify` draws in each environment. */
const contexts = 10_000;

/** What docs/command-line.md promises. Everything that ends a command with a message is 1, as in all commands. */
export const exitCodes = { different: 1, incomplete: 2 } as const;

export function clientTokensOf(given: readonly string[]): ClientToken[] {
  return given.map((text) => {
    const at = text.indexOf('=');
    // The text is not repeated, because it contains a secret.
    if (at <= 0 || at === text.length - 1) {
      throw new StartError('--client-token must be ENVIRONMENT=SECRET');
    }
    return { environment: text.slice(0, at), secret: text.slice(at + 1) };
  });
}

interface ClientToken {
  readonly environment: string;
  readonly secret: string;
}

interface Bounds {
  readonly concurrency: number;
  readonly rate: number;
}

/** Compares decisions, and says for which environments they differ. */
export async function verify(
  { db }: CommandContext,
  url: string,
  tokens: readonly ClientToken[],
  bounds: Bounds,
): Promise<boolean> {
  const results: Verification[] = [];
  for (const { environment, secret } of tokens) {
    const tokenRule = `--client-token ${environment} must be a client token for this environment and all projects`;
    const client = createReadingClient({ url, token: secret, tokenRule, ...bounds });
    const there = await readTheirDefinition(client, environment);
    const here = await readOwnDefinition(db, environment);
    const now = new Date();
    results.push(compareDefinitions(environment, there, here, { count: contexts, now }));
  }
  for (const { environment, features, contexts: count, differences } of results) {
    process.stdout.write(
      `${environment}: ${counted(features, 'feature')} in ${counted(count, 'context')}, ${counted(differences.length, 'difference')}\n`,
    );
    for (const { feature, context, there, here } of differences) {
      process.stdout.write(
        `${printable(`  ${feature}: Unleash ${JSON.stringify(there)}, Burgee ${JSON.stringify(here)}, for example with ${JSON.stringify(context)}`)}\n`,
      );
    }
  }
  return results.every(({ differences }) => differences.length === 0);
}

type Usage = Parameters<typeof environmentsInUse>[0];

/** Environments that SDKs use, and that are neither compared nor named with --without-verifying. */
export function listUnverified(
  usage: Usage,
  tokens: readonly ClientToken[],
  withoutVerifying: readonly string[],
): string[] {
  const known = new Set(usage.environments.map(({ name }) => name));
  for (const name of withoutVerifying) {
    if (known.has(name)) continue;
    throw new StartError(`--without-verifying ${name}: environment not found.`);
  }
  const covered = new Set([...tokens.map(({ environment }) => environment), ...withoutVerifying]);
  return environmentsInUse(usage, new Date()).filter((name) => !covered.has(name));
}

/** From the source, or without an admin token from what has been imported. */
async function readUsage(
  { db }: CommandContext,
  client: ReadingClient | undefined,
): Promise<Usage> {
  if (!client) return readOwn(db, { url: '', version: '', edition: '', readAt: '' });
  return {
    environments: await readEnvironments(client),
    tokens: await readTokens(client),
    applications: await readApplications(client),
  };
}

export const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/** What is only compared, and what is not. */
export async function verifyOnly(
  context: CommandContext,
  url: string,
  { tokens, bounds, client, withoutVerifying }: VerifyOptions,
): Promise<void> {
  const usage = await readUsage(context, client);
  const unverified = listUnverified(usage, tokens, withoutVerifying);
  const isSame = await verify(context, url, tokens, bounds);
  const compared = new Set([...tokens.map(({ environment }) => environment), ...unverified]);
  const others = usage.environments.map(({ name }) => name).filter((name) => !compared.has(name));
  if (others.length > 0) process.stdout.write(`Not compared: ${quoted(others)}.\n`);
  if (unverified.length > 0) {
    process.stdout.write(
      `Not compared, although SDKs use it: ${quoted(unverified)}. Give --client-token for each.\n`,
    );
    process.exitCode = exitCodes.incomplete;
  }
  if (!isSame) process.exitCode = exitCodes.different;
}

interface VerifyOptions {
  readonly tokens: readonly ClientToken[];
  readonly bounds: Bounds;
  readonly client: ReadingClient | undefined;
  readonly withoutVerifying: readonly string[];
}
