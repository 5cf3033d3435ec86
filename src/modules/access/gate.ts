import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Actor, Db } from '../../platform/db/database.ts';
import { noAccess, notFound } from '../../platform/errors.ts';
import type { Gate } from '../../platform/http/authenticate.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { sees } from '../../platform/permission.ts';
import { tokenActor } from './actors.ts';
import { findProjectOf, findProjectState, findTokenByHash } from './queries.ts';
import { hashSecret } from './secrets.ts';

type Token = NonNullable<Awaited<ReturnType<typeof findTokenByHash>>>;

/** How long a verified token is believed: a revocation is in force everywhere within a second. */
const believedMs = 1000;
const maxBelieved = 10_000;

const credentialOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers.authorization?.trim();
  const credential = header?.replace(/^bearer\s+/i, '').trim();
  return credential && !/[\s,]/.test(credential) ? credential : undefined;
};

function createTokenLookup(db: Db, clock: Clock) {
  const believed = new Map<string, { token: Token; until: number }>();
  return async (secret: string): Promise<Token | undefined> => {
    const hash = hashSecret(secret);
    const key = hash.toString('base64');
    const now = clock().getTime();
    const known = believed.get(key);
    const token = known && known.until > now ? known.token : await findTokenByHash(db, hash);
    if (!token || !timingSafeEqual(token.secretHash, hash)) return undefined;
    if (token.revokedAt || (token.expiresAt && token.expiresAt.getTime() <= now)) return undefined;
    if (!known || known.until <= now) {
      if (believed.size >= maxBelieved) believed.clear();
      believed.set(key, { token, until: now + believedMs });
    }
    return token;
  };
}

/** Tokens in, actors out; and the one place that says who may do what. */
export function createGate(db: Db, clock: Clock): Gate {
  const findToken = createTokenLookup(db, clock);

  /** Whether a project is there for this actor and endpoint; archived ones are only looked at. */
  async function isThere(actor: Actor, project: string, endpoint: Endpoint): Promise<boolean> {
    const state = sees(actor, project) ? await findProjectState(db, project) : undefined;
    const changes = endpoint.method !== 'GET' && !endpoint.alsoArchived;
    return state !== undefined && !(changes && state.archivedAt);
  }

  return {
    async authenticate(request) {
      // An absent header is looked up like an unknown one: both take the same time.
      const token = await findToken(credentialOf(request) ?? '');
      return token && tokenActor(token, { ip: request.ip, requestId: request.id });
    },

    async permit(actor, endpoint, params) {
      const { permission, scope, scopeOf } = endpoint;
      if (!actor.may('none')) throw noAccess('ADMIN');
      const feature = scopeOf && params[scopeOf];
      const project = feature ? await findProjectOf(db, feature) : scope && params[scope];
      if (feature && (project === undefined || !sees(actor, project))) {
        throw notFound('feature', feature);
      }
      if (project !== undefined && !(await isThere(actor, project, endpoint))) {
        throw notFound('project', project);
      }
      if (permission === 'none' || endpoint.demandedByService) return;
      const names = typeof permission === 'string' ? [permission] : permission;
      const environment = params.environment;
      if (!names.some((name) => actor.may(name, project, environment))) {
        throw noAccess(names, environment);
      }
    },
  };
}
