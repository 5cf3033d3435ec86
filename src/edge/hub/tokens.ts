import { hashSecret } from '../../platform/secret.ts';
import type { Upstream } from '../upstream/requests.ts';
import { upstreamAnswered, upstreamFailed } from '../upstream/requests.ts';
import { projectsOf, type Scope } from './scopes.ts';

/** A token that the upstream has validated, or that the operator configured for a start without it. */
export interface KnownToken extends Scope {
  /** Of the secret, in hexadecimal. Nothing else of it is stored. */
  readonly hash: string;
  /** `admin` stands for both kinds: a token of an offline edge. */
  readonly audience: 'client' | 'frontend' | 'admin';
  /** False until the upstream has validated it. */
  readonly isValidated: boolean;
}

/** Known tokens. Far more than an installation has. */
export const mostTokens = 20_000;

export const hashOf = (secret: string): string => hashSecret(secret).toString('hex');

/** Longer than any token. Upstreams refuse a whole request with a longer one. */
export const longestToken = 500;

/**
 * The parts of `project:environment.secret`. `[]` stands for several projects. Undefined for what no upstream makes, and
 * what it need not be asked about: its header could not contain it.
 */
export function partsOf(
  secret: string,
): { readonly project: string | undefined; readonly environment: string } | undefined {
  if (secret.length > longestToken || !/^[!-+\--~]+$/.test(secret)) return undefined;
  const [, project, environment] = /^([^:]+):([^.]+)\../.exec(secret) ?? [];
  if (project === undefined || environment === undefined) return undefined;
  return { project: project === '[]' ? undefined : project, environment };
}

/** The names of the kinds of tokens, in all versions. */
const audiences: Readonly<Record<string, KnownToken['audience'] | undefined>> = {
  client: 'client',
  backend: 'client',
  frontend: 'frontend',
};

/** A valid token as the upstream returns it. Undefined for a kind that an edge does not serve. */
function readToken(given: unknown): (KnownToken & { readonly secret: string }) | undefined {
  const { token, type, environment, projects } = given as Readonly<Record<string, unknown>>;
  if (typeof token !== 'string' || typeof type !== 'string') throw new Error('no token');
  const audience = audiences[type.toLowerCase()];
  const parts = partsOf(token);
  const where = typeof environment === 'string' ? environment : parts?.environment;
  if (audience === undefined || where === undefined || where === '*') return undefined;
  const listed = Array.isArray(projects) && projects.every((each) => typeof each === 'string');
  const names = listed ? (projects as string[]) : parts?.project ? [parts.project] : [];
  return {
    ...{ secret: token, hash: hashOf(token), audience, environment: where, isValidated: true },
    projects: projectsOf(names),
  };
}

export interface Validated {
  /** The tokens that may be served. */
  readonly served: readonly KnownToken[];
  /** The hashes of those that the upstream answered without: they are revoked, or never existed. */
  readonly invalid: readonly string[];
  /** The hashes of valid ones that no edge serves, such as admin tokens. */
  readonly unsuitable: readonly string[];
}

/** Upstreams accept 1,000, and 64 KiB. */
const mostAtOnce = 100;
const mostBytesAtOnce = 40_000;

/** The parts in which so many secrets are asked about. */
function* partsOfRequest(secrets: readonly string[]): Generator<string[]> {
  let part: string[] = [];
  let bytes = 0;
  for (const secret of secrets) {
    const more = Buffer.byteLength(JSON.stringify(secret)) + 1;
    if (part.length === mostAtOnce || (part.length > 0 && bytes + more > mostBytesAtOnce)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(secret);
    bytes += more;
  }
  if (part.length > 0) yield part;
}

/**
 * Asks the upstream which of these tokens are valid. Throws unless it answers 200 with a list of tokens: then nothing is
 * known about any of them.
 */
export async function validateTokens(
  upstream: Pick<Upstream, 'post'>,
  secrets: readonly string[],
): Promise<Validated> {
  const served: KnownToken[] = [];
  const invalid: string[] = [];
  const unsuitable: string[] = [];
  for (const some of partsOfRequest(secrets)) {
    const path = '/edge/validate';
    const { status, body } = await upstream.post(path, { tokens: some });
    if (status !== 200) throw upstreamAnswered(`POST ${path}`, status);
    const tokens = (body as { tokens?: unknown } | undefined)?.tokens;
    if (!Array.isArray(tokens)) throw upstreamFailed(`POST ${path}: its response has no tokens`);
    const valid = new Set<string>();
    for (const each of tokens) {
      const found = readToken(each);
      const secret = String((each as { token?: unknown }).token);
      valid.add(secret);
      if (found) {
        const { secret: _, ...token } = found;
        served.push(token);
      } else unsuitable.push(hashOf(secret));
    }
    for (const secret of some) if (!valid.has(secret)) invalid.push(hashOf(secret));
  }
  return { served, invalid, unsuitable };
}
