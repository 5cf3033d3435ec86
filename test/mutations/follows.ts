import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const follows = '/api/admin/user/follows';
const project = `${follows}/projects/default` as const;

/** Tokens cannot follow anything. */
const asSomebody = async (app: TestApp) => ({
  headers: { authorization: (await person(app)).token },
});

export const followMutations: Mutations = {
  scenarios: {
    followProject: async (ask, app) => ask(`PUT ${project}`, await asSomebody(app)),
    unfollowProject: async (ask, app) => {
      const somebody = await asSomebody(app);
      await ask(`PUT ${project}`, somebody);
      return ask(`DELETE ${project}`, somebody);
    },
    followFeature: async (ask, app) => {
      await make(ask).feature('to-follow');
      return ask(`PUT ${project}/features/to-follow`, await asSomebody(app));
    },
    unfollowFeature: async (ask, app) => {
      await make(ask).feature('to-unfollow');
      const somebody = await asSomebody(app);
      await ask(`PUT ${project}/features/to-unfollow`, somebody);
      return ask(`DELETE ${project}/features/to-unfollow`, somebody);
    },
    // Without a mail server, only existing e-mail settings can be changed.
    setFollowLetters: async (ask, app) => {
      const { id, token } = await person(app);
      await app.db
        .insertInto('follow_letters')
        .values({
          user_id: id,
          frequency: 'daily',
          mailed_id: 0,
          pending_id: 0,
          due_at: new Date(),
          failures: 0,
          claimed_until: null,
        })
        .execute();
      return ask(`PUT ${follows}/letters`, {
        headers: { authorization: token },
        payload: { frequency: 'none' },
      });
    },
  },
  conflicts: {},
  changesNothing: { markFollowNotificationsRead: 'what a person has read is not a change' },
};
