import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Audience, Endpoint } from '../../../platform/contract/endpoint.ts';
import { counted } from '../../../platform/counted.ts';
import type { Db, Transact } from '../../../platform/db/database.ts';
import { createOutageWatch, type DatabaseBreaker, logRetry } from '../../../platform/db/outage.ts';
import {
  AppError,
  inMaintenance,
  noAccess,
  notFound,
  unavailable,
  type WaysIn,
} from '../../../platform/errors.ts';
import { type Gate, tokenFromHeader } from '../../../platform/http/authenticate.ts';
import { refuseForeignOrigin } from '../../../platform/http/origin.ts';
import type { Logger } from '../../../platform/log.ts';
import { createLookupCache } from '../../../platform/lookup-cache.ts';
import { sees } from '../../../platform/permission.ts';
import { createRateLimit } from '../../../platform/rate.ts';
import { hashSecret } from '../../../platform/secret.ts';
import { findAccount } from './account-queries.ts';
import { accountIdentity, type Identity, systemActor } from './actors.ts';
import { markAccessChanged } from './announce.ts';
import { createCredentialLookup } from './credential-lookup.ts';
import { findByIds, findByToken, listByHash, type VerifiedCredential } from './credentials.ts';
import {
  findProjectOf,
  findProjectState,
  findSignInSwitches,
  isInMaintenance,
  type ProjectState,
  upsertLastSeen,
} from './gate-queries.ts';
import { createLastSeen, type LastSeen } from './last-seen.ts';
import { createLastVerified, maxTokens } from './last-verified.ts';
import {
  deleteSessions,
  findSessionByHash,
  updateSessionArrived,
  updateSessionSeen,
} from './sessions/queries.ts';
import {
  checkSession,
  isRecentlySeen,
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
  readonly breaker?: DatabaseBreaker;
  readonly settings: SessionLimits & { readonly baseUrl: string };
}

/** A gate with caches, which have to be dropped when access changes. */
export interface AccessGate extends Gate {
  readonly invalidate: () => void;
  /** API tokens were changed or revoked. Until they are verified again, none is accepted during an outage. */
  readonly invalidateTokens: () => void;
  /** The connection was lost for some time, so that changes of API tokens may have been missed. */
  readonly verifyTokens: () => void;
  /** Reads all API tokens, so that tokens which have not been used yet are accepted during an outage, too. */
  readonly preloadTokens: () => Promise<void>;
  /** Stores who was seen since the last flush. */
  readonly flush: () => Promise<void>;
  readonly findLastUse: LastSeen['find'];
}

/** The actor of a request. What only the gate knows of an identity is left out. */
function actorOf(identity: Identity, { ip, id: requestId }: FastifyRequest): Actor {
  const { id, name, kind, may, sees, session, tokenEndsAt, tokenScope } = identity;
  type Mutable = { -readonly [Key in keyof Actor]: Actor[Key] };
  const actor: Mutable = { id, name, kind, may, sees, ip, requestId };
  if (tokenScope) actor.tokenScope = tokenScope;
  if (session !== undefined) actor.session = session;
  if (tokenEndsAt) actor.tokenEndsAt = tokenEndsAt;
  return actor;
}

/** Ten a minute are 14,400 permanent events a day. No one stars a hundred features at once. */
const ownChangesRate = { burst: 100, perMinute: 10 };

const isUnsafe = ({ method }: FastifyRequest) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Finds the account of a session cookie, and rotates its secret when due. */
function createSessionLookup({ db, transact, clock, settings }: GateOptions) {
  return async (hash: Buffer, reply?: FastifyReply): Promise<VerifiedCredential | undefined> => {
    const now = clock();
    const session = await findSessionByHash(db, hash);
    if (!session) return undefined;
    const state = checkSession(session, hash, now, settings);
    if (state === 'over') return undefined;
    if (state === 'stolen') {
      // The secret was replaced, and its owner has used the new one: either the owner or the sender is a thief.
      await transact(systemActor, async (tx) => {
        await deleteSessions(tx, session.userId, { only: session.id });
        markAccessChanged(tx);
      });
      return undefined;
    }
    const account = await findAccount(db, session.userId);
    if (!account) return undefined;
    if (state === 'due for a new secret' || state === 'never arrived') {
      // A request without a response cannot deliver the new secret. The next request gets it.
      const newSecret =
        reply && (await transact(systemActor, (tx) => rotateSession(tx, hash, state)));
      const { expiresAt } = session;
      if (newSecret)
        sendSessionCookie(reply, { secret: newSecret, expiresAt, baseUrl: settings.baseUrl });
    } else if (state === 'arrived') {
      await transact(systemActor, (tx) => updateSessionArrived(tx, session.id));
    } else if (!isRecentlySeen(session, now)) {
      await transact(systemActor, (tx) => updateSessionSeen(tx, session.id));
    }
    return {
      identity: accountIdentity(account, session.id),
      expiresAt: session.expiresAt,
      seen: [{ kind: 'account', id: account.id }],
    };
  };
}

/** Endpoints for SDKs only check the type of the token. */
function requireAudience(audience: readonly Audience[], { tokenScope }: Actor): void {
  if (tokenScope && (tokenScope.audience === 'admin' || audience.includes(tokenScope.audience)))
    return;
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

/** Everyone who sees a project may propose changes in it. None of them is committed. */
const proposerIn = (actor: Actor, project: string, refusal: Error): Actor => ({
  ...actor,
  may: (permission, scope, environment) =>
    scope === project || actor.may(permission, scope, environment),
  onlyProposes: { refusal, as: actor },
});

/** Turns credentials into actors, and is the one place that checks permissions. */
export function createGate(options: GateOptions): AccessGate {
  const { db, transact, clock, log, settings, breaker } = options;
  const tokens = createLookupCache<VerifiedCredential>();
  const sessions = createLookupCache<VerifiedCredential>();
  const closed = createLookupCache<boolean>();
  const waysIn = createLookupCache<WaysIn>();
  const projects = createLookupCache<ProjectState>();
  const lastSeen = createLastSeen();
  // While the database cannot be read, for whatever reason. What the gate itself refuses is no outage.
  const covers = (error: unknown) => !(error instanceof AppError);
  const outage = createOutageWatch({ covers, ...(breaker && { breaker }) });
  const lastVerified = createLastVerified((ids) => findByIds(db, ids));
  const findBySession = createSessionLookup(options);
  const credentials = createCredentialLookup();
  const ownChanges = createRateLimit(ownChangesRate, clock);

  /** Looks up a credential and notes when its owner was seen. */
  async function findAndMarkSeen(lookUp: Promise<VerifiedCredential | undefined>, now: Date) {
    const found = await lookUp;
    for (const { kind, id } of found?.seen ?? []) lastSeen.see(kind, id, now);
    return found;
  }

  const findByHeader = (header: string, now: Date) => {
    const secret = tokenFromHeader(header);
    const hash = hashSecret(secret);
    // Both caches of tokens are keyed by the hash, because secrets must not stay in memory.
    const hashed = hash.toString('base64');
    return tokens.get(hashed, now.getTime(), () => {
      const lookUp = async () => {
        const startedAt = lastVerified.begin();
        const found = await findAndMarkSeen(
          credentials.lookUp(hashed, () => findByToken(db, secret, hash)),
          now,
        );
        lastVerified.note(hashed, found, startedAt);
        return found;
      };
      return outage.ask(lookUp, () => lastVerified.find(hashed));
    });
  };

  const findByCookie = (secret: string, now: Date, reply?: FastifyReply) =>
    sessions.get(secret, now.getTime(), () => {
      const hash = hashSecret(secret);
      return findAndMarkSeen(
        credentials.lookUp(hash.toString('base64'), () => findBySession(hash, reply)),
        now,
      );
    });

  /**
   * Whether the actor and the endpoint may use a project. Archived projects can only be read. The answer may be
   * outdated, like all checks before a transaction: a transaction that changes a project locks it and checks again.
   */
  async function isProjectAvailable(
    actor: Actor,
    project: string,
    endpoint: Endpoint,
  ): Promise<boolean> {
    if (!sees(actor, project)) return false;
    const find = () => findProjectState(db, project);
    const state = await projects.get(project, clock().getTime(), find);
    const changes = endpoint.method !== 'GET' && !endpoint.alsoArchived;
    return state !== undefined && !(changes && state.archivedAt);
  }

  function actorOfCredential(
    found: VerifiedCredential | undefined,
    request: FastifyRequest,
    now: Date,
  ) {
    if (!found || (found.expiresAt && found.expiresAt <= now)) return undefined;
    return actorOf(found.identity, request);
  }

  async function authenticateByCookie(
    cookie: string,
    request: FastifyRequest,
    reply?: FastifyReply,
  ): Promise<Actor | undefined> {
    const now = clock();
    const actor = actorOfCredential(await findByCookie(cookie, now, reply), request, now);
    if (actor && isUnsafe(request)) refuseForeignOrigin(request, settings.baseUrl);
    return actor;
  }

  /** Everyone may make these changes, so that only their number can be limited. */
  function refuseTooManyOwnChanges({ kind, id }: Actor): void {
    const waitSeconds = ownChanges.take(`${kind} ${id}`);
    if (waitSeconds === 0) return;
    throw unavailable(
      `Too many changes by your account. Try again in ${counted(waitSeconds, 'second')}`,
      waitSeconds,
    );
  }

  async function permitInScope(
    actor: Actor,
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
    query: unknown,
  ): Promise<Actor | undefined> {
    const { permission, scope, scopeOf } = endpoint;
    if (!actor.may('none')) throw noAccess('ADMIN');
    const feature = scopeOf && params[scopeOf];
    const project = feature ? await findProjectOf(db, feature) : scope && params[scope];
    if (feature && (project === undefined || !sees(actor, project))) {
      throw notFound('feature', feature);
    }
    if (project !== undefined && !(await isProjectAvailable(actor, project, endpoint))) {
      throw notFound('project', project);
    }
    const { limitedPerAccount: limited } = endpoint;
    const isLimited =
      limited === true || (limited && !actor.may(limited.unlessMay, project, params.environment));
    if (isLimited) refuseTooManyOwnChanges(actor);
    if (permission === 'none') return undefined;
    const names = typeof permission === 'string' ? [permission] : permission;
    // A service that demands permissions itself checks the project. Here, actors without the permission in any project
    // are refused before the body is read.
    const [where, environment] = endpoint.demandedByService
      ? [undefined, undefined]
      : [project, params.environment];
    if (names.some((name) => actor.may(name, where, environment))) return undefined;
    const refusal = noAccess(names, environment);
    const proposes = endpoint.proposable && (query as { propose?: string }).propose === 'true';
    const isChecked = project !== undefined || endpoint.demandedByService;
    if (!proposes || !isChecked) throw refusal;
    refuseTooManyOwnChanges(actor);
    return project === undefined ? undefined : proposerIn(actor, project, refusal);
  }

  async function refuseInMaintenance(): Promise<void> {
    const state = await closed.get('maintenance', clock().getTime(), () => isInMaintenance(db));
    if (state) throw inMaintenance();
  }

  return {
    authenticate(request, reply) {
      const { authorization } = request.headers;
      const cookie =
        authorization === undefined ? sessionSecretOf(request, settings.baseUrl) : undefined;
      if (cookie !== undefined) return authenticateByCookie(cookie, request, reply);
      const now = clock();
      // A missing credential is looked up like an unknown one, so that both take the same time.
      const found = findByHeader(authorization ?? '', now);
      return found instanceof Promise
        ? found.then((credential) => actorOfCredential(credential, request, now))
        : actorOfCredential(found, request, now);
    },

    waysIn: () => {
      const cached = waysIn.get('people', clock().getTime(), async () =>
        describeWaysIn(await findSignInSwitches(db)),
      );
      return cached as WaysIn | Promise<WaysIn>;
    },

    permit(actor, endpoint, params, query = {}) {
      if (!endpoint.audience) return permitInScope(actor, endpoint, params, query);
      requireAudience(endpoint.audience, actor);
      return undefined;
    },

    refuseChanges: ({ method, duringMaintenance }) =>
      method === 'GET' || duringMaintenance ? undefined : refuseInMaintenance(),

    invalidate() {
      tokens.clear();
      sessions.clear();
      closed.clear();
      waysIn.clear();
      projects.clear();
    },

    invalidateTokens: lastVerified.doubt,

    verifyTokens() {
      outage.lookAgain();
      lastVerified.verify();
    },

    async preloadTokens() {
      const startedAt = lastVerified.begin();
      // The oldest tokens first, because the first entries are dropped if there are too many.
      for (const [hash, credential] of (await listByHash(db, maxTokens)).reverse()) {
        const hashed = hash.toString('base64');
        lastVerified.note(hashed, credential, startedAt);
        if (credential) credentials.noteValid(hashed);
      }
    },

    findLastUse: lastSeen.find,

    async flush() {
      const sightings = lastSeen.take();
      if (sightings.length === 0) return;
      try {
        await transact(systemActor, (tx) => upsertLastSeen(tx, sightings));
      } catch (error) {
        for (const { kind, id, at } of sightings) lastSeen.see(kind, id, at);
        const what = 'last-seen times of tokens could not be stored, trying again';
        logRetry(log, error, what, { level: 'warn' });
      }
    },
  };
}
