import { createPasswordLink } from '../../src/modules/access/users/index.ts';
import { type TestApp, testActor } from '../support/app.ts';
import { person } from '../support/people.ts';
import { logIn, newcomer } from '../support/visitor.ts';
import type { Mutations } from './mutations.ts';

type Ask = TestApp['ask'];

const links = '/api/admin/invite-link/tokens';
const password = 'blue harbour lantern';

const createLink = (ask: Ask, name: string) => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  return ask(`POST ${links}`, { payload: { name, expiresAt } });
};
const linked = async (ask: Ask, name: string) =>
  (await createLink(ask, name)).json() as { id: number; secret: string };

/** A user with a session. */
async function signedIn(app: TestApp) {
  const somebody = await newcomer(app);
  await logIn(app, somebody);
  return somebody;
}

const sessionReason = 'who is signed in where is no change of the installation';

export const signInMutations: Mutations = {
  scenarios: {
    createPublicSignupToken: (ask) => createLink(ask, 'created-link'),
    updatePublicSignupToken: async (ask) => {
      const { id } = await linked(ask, 'link-to-change');
      return ask(`PUT ${links}/${id}`, { payload: { enabled: false } });
    },
    addPublicSignupTokenUser: async (ask, app) => {
      const { secret } = await linked(app.ask, 'link-to-use');
      const email = `signed-up-${secret.slice(0, 8)}@example.com`;
      return ask(`POST /invite/${secret}/signup`, { payload: { email, name: 'New', password } });
    },
    changeMyPassword: async (ask, app) => {
      const somebody = await person(app);
      await ask(`POST /api/admin/user-admin/${somebody.id}/change-password`, {
        payload: { password, keepPersonalTokens: true },
      });
      return ask('POST /api/admin/user/change-password', {
        headers: { authorization: somebody.token },
        payload: { password: `${password} again`, oldPassword: password },
      });
    },
    deleteUserSessions: async (ask, app) => {
      const { id } = await signedIn(app);
      return ask(`DELETE /api/admin/user-admin/${id}/sessions`);
    },
    deleteUserSession: async (ask, app) => {
      const { id } = await signedIn(app);
      const sessions = `/api/admin/user-admin/${id}/sessions`;
      const [session] = (await app.ask(`GET ${sessions}`)).json().sessions;
      return ask(`DELETE ${sessions}/${session.id}`);
    },
    changePassword: async (ask, app) => {
      const { id } = await person(app);
      const { secret } = await app.transact(testActor, (tx) => createPasswordLink(tx, id, 'reset'));
      return ask('POST /auth/reset/password', { payload: { token: secret, password } });
    },
  },
  conflicts: {
    addPublicSignupTokenUser: async (ask, app) => {
      const { secret } = await linked(app.ask, 'link-of-a-conflict');
      const email = `twice-${secret.slice(0, 8)}@example.com`;
      const payload = { email, name: 'New', password };
      await ask(`POST /invite/${secret}/signup`, { payload });
      return ask(`POST /invite/${secret}/signup`, { payload });
    },
  },
  changesNothing: {
    login: sessionReason,
    logout: sessionReason,
    deleteOwnSession: sessionReason,
    deleteOtherSessions: sessionReason,
    sendResetPasswordEmail: 'the link changes nothing until it is used',
    validatePassword: 'it only looks',
  },
};
