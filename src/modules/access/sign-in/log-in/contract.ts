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
    description: 'The response sets a session cookie.',
    refusesSecret: 'wrong username or password',
    throttled: true,
    permission: 'public',
    duringMaintenance: true,
    bodyLimitBytes: 8 * 1024,
    body: named(
      'loginSchema',
      Type.Object({
        username: Type.String({ maxLength: 320, description: 'Username or email address' }),
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
    summary: 'Sign out and redirect to the sign-in page',
    permission: 'public',
    duringMaintenance: true,
    bodyLimitBytes: 1024,
    query: Type.Object({
      all: Type.Optional({ ...yesNo, description: 'true: end all sessions of the user' }),
    }),
    status: 302,
  }),

  listProviders: endpoint({
    method: 'GET',
    path: '/auth/providers',
    id: 'getSignInProviders',
    tag,
    summary: 'List the available ways to sign in',
    permission: 'public',
    response: Type.Object({
      password: Type.Boolean(),
      oidc: Type.Boolean(),
      resetByEmail: Type.Boolean({
        description: 'Whether a forgotten password can be reset by a link that is sent by email',
      }),
      firstSignIn: Type.Boolean({
        description: 'Whether no one has signed in to this installation yet',
      }),
    }),
  }),
};
