import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';
import { closeLater } from '../closing.ts';

export const clientId = 'burgee';
export const clientSecret = 'canary-client-secret-f4d1';

type Claims = Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  /** Sets the user who signs in next, with their claims. */
  readonly signIn: (sub: string, claims: Claims) => void;
  /** From now on, users cancel the sign-in. */
  readonly refuse: () => void;
  /** The number of discovery requests. */
  readonly discoveries: () => number;
  readonly stop: () => Promise<void>;
}

interface ProviderOptions {
  readonly redirectUri?: string;
  /** Whether the ID token contains the claims, and not only the userinfo response. */
  readonly claimsInToken?: boolean;
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post';
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' };

const configurationOf = (
  people: ReadonlyMap<string, Claims>,
  {
    redirectUri = 'http://localhost:4242/auth/oidc/callback',
    claimsInToken,
    authMethod,
  }: ProviderOptions,
): Configuration => ({
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: authMethod ?? 'client_secret_basic',
    },
  ],
  clientAuthMethods: [authMethod ?? 'client_secret_basic'],
  jwks: { keys: [jwk as never] },
  cookies: { keys: ['test'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'given_name', 'family_name', 'preferred_username', 'realm'],
    groups: ['groups'],
  },
  conformIdTokenClaims: claimsInToken !== true,
  ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
  pkce: { required: () => false },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: async () => ({ sub, ...people.get(sub) }),
  }),
  // No consent is required.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client?.clientId as string,
      accountId: oidc.session?.accountId as string,
    });
    grant.addOIDCScope('openid email profile groups');
    await grant.save();
    return grant;
  },
  renderError: async (context, { error }) => {
    context.body = { error };
  },
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server on this machine with this handler. */
export async function listenHere(answer: Handler) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((done) => server.close(done));
  };
  closeLater(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** A real OpenID Connect provider on this machine that signs in the given user without a prompt. */
export async function startProvider(options: ProviderOptions = {}): Promise<TestProvider> {
  const people = new Map<string, Claims>();
  let current: string | undefined;
  let discoveries = 0;
  let answer: Handler = () => undefined;
  const { url: issuer, stop } = await listenHere((request, response) => answer(request, response));
  const provider = new Provider(issuer, configurationOf(people, options));
  const handle = provider.callback();
  const interact = (request: IncomingMessage, response: ServerResponse) =>
    provider.interactionFinished(
      request,
      response,
      current === undefined
        ? { error: 'access_denied', error_description: 'they went back' }
        : { login: { accountId: current } },
    );
  answer = (request, response) => {
    if (request.url?.includes('/.well-known/openid-configuration')) discoveries += 1;
    if (request.url?.startsWith('/interaction/')) void interact(request, response);
    else void handle(request, response);
  };
  return {
    issuer,
    signIn: (sub, claims) => {
      people.set(sub, claims);
      current = sub;
    },
    refuse: () => {
      current = undefined;
    },
    discoveries: () => discoveries,
    stop,
  };
}
