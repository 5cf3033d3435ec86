import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import type { Audience, Endpoint } from '../../../platform/contract/endpoint.ts';
import type { Actor, Db, Transact } from '../../../platform/db/database.ts';
import { createOutageWatch, logRetry, type Silence } from '../../../platform/db/outage.ts';
import { inMaintenance, noAccess, notFound, type WaysIn } from '../../../platform/errors.ts';
import type { Gate } from '../../../platform/http/authenticate.ts';
import { refuseForeignOrigin } from '../../../platform/http/origin.ts';
import type { Logger } from '../../../platform/log.ts';
import { sees } from '../../../platform/permission.ts';
import { hashSecret } from '../../../platform/secret.ts';
import { findAccount } from './account-queries.ts';
import { accountIdentity, type Identity, systemActor } from './actors.ts';
import { announceAccess } from './announce.ts';
import { type Believed, createMemory, findByIds, findByToken, listByHash } from './credentials.ts';
import {
  findProjectOf,
  findProjectState,
  findSignInSwitches,
  isInMaintenance,
  type ProjectState,
  upsertSeen,
} from './gate-queries.ts';
import { createLastSeen } from './last-seen.ts';
import { createLastVerified, maxTokens } from './last-verified.ts';
import { createLookUps } from './look-ups.ts';
import {
  deleteSessions,
  findSessionByHash,
  updateSessionArrived,
  updateSessionSeen,
} from './sessions/queries.ts';
import {
  isSeenLately,
  judgeSession,
  rotateSession,
  type SessionLimits,
  sendSessionCookie,
  sessionSecretOf,
} from './sessions/sessions.ts';

export interface GateOptions {
  readonly db: Db;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly log: Logger;
  readonly silence?: Silence;
  readonly settings: SessionLimits & { readonly baseUrl: string };
}

/** A gate with a memory, which has to be told when what it believes is over. */
export interface AccessGate extends Gate {
  readonly forget: () => void;
  /** API tokens were changed or revoked: what was true of them is not enough for an outage. */
  readonly doubtTokens: () => void;
  /** Learns of all API tokens: should the database go away, also those are let in that have not come yet. */
  readonly learnTokens: () => Promise<void>;
  /** Writes down who was seen since the last time. */
  readonly flush: () => Promise<void>;
}

/** The token of the header; the empty string, which no token is, for a header that holds none. */
function tokenIn(header: string): string {
  const credential = header
    .trim()
    .replace(/^bearer\s+/i, '')
    .trim();
  return /[\s,]/.test(credential) ? '' : credential;
}

/**
 * Property by property: to spread the identity cost each request 20 µs more, at 8 connections 0.15 ms.
 */
function actorOf(identity: Identity, { ip, id: requestId }: FastifyRequest): Actor {
  const { id, name, kind, may, sees: seen, session, tokenEndsAt, reach } = identity;
  if (reach) return { id, name, kind, may, sees: seen, ip, requestId, reach };
  if (session !== undefined) return { id, name, kind, may, sees: seen, ip, requestId, session };
  if (tokenEndsAt) return { id, name, kind, may, sees: seen, ip, requestId, tokenEndsAt };
  return { id, name, kind, may, sees: seen, ip, requestId };
}

/** Longer than any token of ours. */
const maxKeyLength = 200;

const isUnsafe = ({ method }: FastifyRequest) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Whom a cookie stands for; exchanges its secret when it is due. */
function createSessionLookup({ db, transact, clock, settings }: GateOptions) {
  return async (hash: Buffer, reply?: FastifyReply): Promise<Believed | undefined> => {
    const now = clock();
    const session = await findSessionByHash(db, hash);
    if (!session) return undefined;
    const verdict = judgeSession(session, hash, now, settings);
    if (verdict === 'over') return undefined;
    if (verdict === 'stolen') {
      // Somebody came with a secret that its owner no longer has: one of the two is a thief.
      await transact(systemActor, async (tx) => {
        await deleteSessions(tx, session.userId, { only: session.id });
        announceAccess(tx);
      });
      return undefined;
    }
    const account = await findAccount(db, session.userId);
    if (!account) return undefined;
    if (verdict === 'due for a new secret' || verdict === 'never arrived') {
      // Without an answer that could bring it, a new secret would be lost: the next request gets it.
      const fresh =
        reply && (await transact(systemActor, (tx) => rotateSession(tx, hash, verdict)));
      const { expiresAt } = session;
      if (fresh) sendSessionCookie(reply, { secret: fresh, expiresAt, baseUrl: settings.baseUrl });
    } else if (verdict === 'arrived') {
      await transact(systemActor, (tx) => updateSessionArrived(tx, session.id));
    } else if (!isSeenLately(session, now)) {
      await transact(systemActor, (tx) => updateSessionSeen(tx, session.id));
    }
    return {
      identity: accountIdentity(account, session.id),
      expiresAt: session.expiresAt,
      seen: [{ kind: 'account', id: account.id }],
    };
  };
}

/** Programs that evaluate are let in by the kind of their token, and by nothing else. */
function refuseOthers(audience: readonly Audience[], { reach }: Actor): void {
  if (reach && (reach.audience === 'admin' || audience.includes(reach.audience))) return;
  throw noAccess(audience.map((each) => each.toUpperCase()));
}

const describeWaysIn = ({ password, oidc }: { password: boolean; oidc: boolean }): WaysIn => ({
  type: 'password',
  path: '/auth/simple/login',
  defaultHidden: !password,
  ...(oidc && {
    options: [{ type: 'oidc', message: 'Sign in with OpenID Connect', path: '/auth/oidc/login' }],
  }),
});

/** Credentials in, actors out; and the one place that says who may do what. */
export function createGate(options: GateOptions): AccessGate {
  const { db, transact, clock, log, settings, silence } = options;
  const tokens = createMemory<Believed>();
  const sessions = createMemory<Believed>();
  const closed = createMemory<boolean>();
  const waysIn = createMemory<WaysIn>();
  const projects = createMemory<ProjectState>();
  const lastSeen = createLastSeen();
  const outage = createOutageWatch(silence && { silence });
  const lastVerified = createLastVerified((ids) => findByIds(db, ids));
  const findBySession = createSessionLookup(options);
  const lookUp = createLookUps();

  /** Whom a credential stands for, looked up anew. */
  async function find(look: Promise<Believed | undefined>, now: Date) {
    const found = await look;
    for (const { kind, id } of found?.seen ?? []) lastSeen.see(kind, id, now);
    return found;
  }

  /**
   * By the header as it came, so that what is believed is not even hashed again; but not by one with
   * blanks without end, of which each would be remembered anew.
   */
  const findByHeader = (header: string, now: Date) => {
    const key = header.length <= maxKeyLength ? header : tokenIn(header);
    return tokens.recall(key, now.getTime(), () => {
      const secret = tokenIn(header);
      const hash = hashSecret(secret);
      // Not by the header: secrets are not to stay in memory for a day.
      const hashed = hash.toString('base64');
      const look = async () => {
        const begun = lastVerified.begin();
        const found = await find(
          lookUp(hashed, () => findByToken(db, secret, hash)),
          now,
        );
        lastVerified.note(hashed, found, begun);
        return found;
      };
      return outage.ask(look, () => lastVerified.find(hashed));
    });
  };

  const findByCookie = (secret: string, now: Date, reply?: FastifyReply) =>
    sessions.recall(secret, now.getTime(), () => {
      const hash = hashSecret(secret);
      return find(
        lookUp(hash.toString('base64'), () => findBySession(hash, reply)),
        now,
      );
    });

  /**
   * Whether a project is there for this actor and endpoint; archived ones are only looked at. A belief, as all that
   * is asked before a transaction begins: one that changes a project holds it, and looks again.
   */
  async function isThere(actor: Actor, project: string, endpoint: Endpoint): Promise<boolean> {
    if (!sees(actor, project)) return false;
    const find = () => findProjectState(db, project);
    const state = await projects.recall(project, clock().getTime(), find);
    const changes = endpoint.method !== 'GET' && !endpoint.alsoArchived;
    return state !== undefined && !(changes && state.archivedAt);
  }

  function actorBy(found: Believed | undefined, request: FastifyRequest, now: Date) {
    if (!found || (found.expiresAt && found.expiresAt <= now)) return undefined;
    return actorOf(found.identity, request);
  }

  async function authenticateByCookie(
    cookie: string,
    request: FastifyRequest,
    reply?: FastifyReply,
  ): Promise<Actor | undefined> {
    const now = clock();
    const actor = actorBy(await findByCookie(cookie, now, reply), request, now);
    if (actor && isUnsafe(request)) refuseForeignOrigin(request, settings.baseUrl);
    return actor;
  }

  async function permitInScope(
    actor: Actor,
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
  ): Promise<void> {
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
    if (permission === 'none') return;
    const names = typeof permission === 'string' ? [permission] : permission;
    if (endpoint.demandedByService) {
      // Whoever has it nowhere is refused before the body is read. The service asks for the scope.
      if (!names.some((name) => actor.may(name))) throw noAccess(names);
      return;
    }
    const environment = params.environment;
    if (!names.some((name) => actor.may(name, project, environment))) {
      throw noAccess(names, environment);
    }
  }

  async function refuseInMaintenance(): Promise<void> {
    const state = await closed.recall('maintenance', clock().getTime(), () => isInMaintenance(db));
    if (state) throw inMaintenance();
  }

  return {
    authenticate(request, reply) {
      const { authorization } = request.headers;
      const cookie =
        authorization === undefined ? sessionSecretOf(request, settings.baseUrl) : undefined;
      if (cookie !== undefined) return authenticateByCookie(cookie, request, reply);
      const now = clock();
      // No credential is looked up like an unknown one: both take the same time.
      const found = findByHeader(authorization ?? '', now);
      return found instanceof Promise
        ? found.then((believed) => actorBy(believed, request, now))
        : actorBy(found, request, now);
    },

    waysIn: () => {
      const known = waysIn.recall('people', clock().getTime(), async () =>
        describeWaysIn(await findSignInSwitches(db)),
      );
      return known as WaysIn | Promise<WaysIn>;
    },

    permit: (actor, endpoint, params) =>
      endpoint.audience
        ? refuseOthers(endpoint.audience, actor)
        : permitInScope(actor, endpoint, params),

    refuseChanges: ({ method, duringMaintenance }) =>
      method === 'GET' || duringMaintenance ? undefined : refuseInMaintenance(),

    forget() {
      tokens.forget();
      sessions.forget();
      closed.forget();
      waysIn.forget();
      projects.forget();
    },

    doubtTokens: lastVerified.doubt,

    async learnTokens() {
      const begun = lastVerified.begin();
      // The oldest first: of too many those are forgotten that were noted first.
      for (const [hash, believed] of (await listByHash(db, maxTokens)).reverse()) {
        lastVerified.note(hash.toString('base64'), believed, begun);
      }
    },

    async flush() {
      const sightings = lastSeen.take();
      if (sightings.length === 0) return;
      try {
        await transact(systemActor, (tx) => upsertSeen(tx, sightings));
      } catch (error) {
        for (const { kind, id, at } of sightings) lastSeen.see(kind, id, at);
        const what = 'when tokens were last seen could not be written, trying again';
        logRetry(log, error, what, { level: 'warn' });
      }
    },
  };
}
