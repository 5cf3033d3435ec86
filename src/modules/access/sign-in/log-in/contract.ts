import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named, yesNo } from '../../../../platform/contract/schema.ts';
import { UserSchema } from '../../users/user-schema.ts';

const tag = 'Sign-in';

export const logInContract = {
  logIn: endpoint({
    method: 'POST',
    path: '/auth/simple/login',
    id: 'login',
    tag,
    summary: 'Sign in with a password',
    description: 'The answer sets a session cookie.',
    refusesSecret: 'the name or the password is wrong; which of them is not said',
    throttled: true,
    permission: 'public',
    duringMaintenance: true,
    body: named(
      'loginSchema',
      Type.Object({
        username: Type.String({ maxLength: 320, description: 'User name or e-mail address' }),
        password: Type.String({ maxLength: 1000, writeOnly: true }),
      }),
    ),
    response: UserSchema,
  }),

  logOut: endpoint({
    method: 'POST',
    path: '/logout',
    id: 'logout',
    tag,
    summary: 'End the session of the cookie, and go to the page to sign in',
    permission: 'public',
    duringMaintenance: true,
    query: Type.Object({
      all: Type.Optional({ ...yesNo, description: 'true: all sessions of the person' }),
    }),
    status: 302,
  }),

  listProviders: endpoint({
    method: 'GET',
    path: '/auth/providers',
    id: 'getSignInProviders',
    tag,
    summary: 'How people can sign in here',
    permission: 'public',
    response: Type.Object({ password: Type.Boolean(), oidc: Type.Boolean() }),
  }),
};
