import type { Mutations } from './mutations.ts';

type Ask = Parameters<Mutations['scenarios'][string]>[0];

/** Creates a feature and returns the event. */
async function created(ask: Ask, name: string): Promise<number> {
  await ask('POST /api/admin/projects/default/features', { payload: { name } });
  const found = await ask(
    `GET /api/admin/search/events?limit=1&type=IS:feature-created&feature=IS:${name}`,
  );
  return found.json().events[0].id;
}

const revert = (ask: Ask, id: number) =>
  ask(`POST /api/admin/events/${id}/revert`, { payload: {} });

const revertAll = (ask: Ask, id: number) =>
  ask('POST /api/admin/events/revert', { payload: { eventIds: [id] } });

export const revertMutations: Mutations = {
  scenarios: {
    revertEvent: async (ask) => revert(ask, await created(ask, 'created-by-mistake')),
    revertEvents: async (ask) => revertAll(ask, await created(ask, 'also-created-by-mistake')),
  },

  conflicts: {
    revertEvent: async (ask) => {
      const id = await created(ask, 'reverted-once');
      await revert(ask, id);
      return revert(ask, id);
    },
    revertEvents: async (ask) => {
      const id = await created(ask, 'reverted-once-more');
      await revertAll(ask, id);
      return revertAll(ask, id);
    },
  },

  changesNothing: {},
};
