import type { Actor, TokenScope } from '../../../platform/actor.ts';
import type { Account } from './account-queries.ts';
import { accessOf, everything, nothing } from './grants.ts';

/** An actor without the request. */
export type Identity = Omit<Actor, 'ip' | 'requestId'>;

/** The actor of background work. It has the same id as in the reference product, which scripts use. */
export const systemActor: Actor = {
  id: -1337,
  name: 'burgee-system',
  kind: 'system',
  ip: null,
  requestId: null,
  may: everything.may,
  sees: everything.sees,
};

interface TokenIdentity {
  readonly id: number;
  readonly name: string;
  readonly type: TokenScope['audience'];
  readonly environment: string | null;
  /** `*` means all. */
  readonly projects: readonly string[];
}

/** Admin tokens may do everything. Tokens of SDKs may do nothing in the admin API. */
export function tokenIdentity(token: TokenIdentity): Identity {
  const { id, name, type, environment, projects } = token;
  const { may, sees } = type === 'admin' ? everything : nothing;
  const scopes = projects.includes('*') ? 'all' : projects;
  return {
    id: -id,
    name,
    kind: 'token',
    may,
    sees,
    tokenScope: { audience: type, environment, scopes },
  };
}

export function accountIdentity(account: Account, session?: string): Identity {
  const { may, sees } = accessOf(account);
  const { id, name, kind } = account;
  return { id, name, kind, may, sees, ...(session !== undefined && { session }) };
}
