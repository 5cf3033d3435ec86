import type { Actor } from '../../platform/db/database.ts';

const everything = () => true;
const nothing = () => false;

/** Work that no person asked for. Its id is the reference product's, which scripts know. */
export const systemActor: Actor = {
  id: -1337,
  name: 'burgee-system',
  ip: null,
  requestId: null,
  may: everything,
  sees: 'all',
};

interface TokenIdentity {
  readonly id: number;
  readonly name: string;
  readonly type: 'admin' | 'client' | 'frontend';
}

/** Admin tokens may do everything; the SDKs' tokens nothing of the admin API. */
export const tokenActor = (
  token: TokenIdentity,
  origin: Pick<Actor, 'ip' | 'requestId'>,
): Actor => ({
  ...origin,
  id: -token.id,
  name: token.name,
  may: token.type === 'admin' ? everything : nothing,
  sees: token.type === 'admin' ? 'all' : new Set(),
});
