import type { Actor } from '../../src/platform/actor.ts';
import type { Gate } from '../../src/platform/http/authenticate.ts';

/** A gate that treats every request as a user who can read some projects and do nothing else. */
export const viewerOf = (...projects: string[]): Gate => {
  const viewer: Actor = {
    id: 7,
    name: 'vera@example.com',
    kind: 'person',
    ip: '192.0.2.7',
    requestId: null,
    may: (permission) => permission === 'none',
    sees: new Set(projects),
  };
  return {
    authenticate: async () => viewer,
    permit: async () => undefined,
    refuseChanges: async () => undefined,
  };
};
