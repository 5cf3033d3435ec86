import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/log.ts';
import { createLookupCache } from '../../../platform/lookup-cache.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { isPlain } from './addresses.ts';
import { checkSubject, type Identity, identityOf, isIncomplete } from './identity.ts';
import type { Refusal } from './refusal.ts';
import type { OidcConnection } from './service.ts';

/** Loaded by the first log-in, because it would take 40 ms of every start. */
const library = () => import('openid-client');

/** For each request. The library's own limit, which also counts pauses of this process, is longer. */
const timeoutMs = 5_000;
const libraryTimeoutSeconds = 60;
const clockToleranceSeconds = 30;
/** How long the metadata of a provider is cached. Its keys are cached by the library. */
const cachedForMs = 300_000;

interface LoginRequest {
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string | undefined;
}

export interface Provider {
  readonly begin: (
    connection: OidcConnection,
    redirectUri: string,
  ) => Promise<LoginRequest | { readonly refusal: Refusal }>;
  readonly finish: (
    connection: OidcConnection,
    callback: URL,
    login: Omit<LoginRequest, 'url'>,
  ) => Promise<Identity | { readonly refusal: Refusal }>;
}

/** Basic if the provider supports it, because that is the default for clients. */
async function clientAuthentication(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await library();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

export const isOtherIssuer = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/**
 * Sends the library's requests through the guarded client, so that they never reach metadata services of clouds,
 * whatever addresses a provider names for its tokens or keys. Fails like `fetch`.
 */
export const guardedFetch =
  (outgoing: Outgoing): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const sent = await outgoing
      .send(
        {
          method: method as 'GET' | 'POST',
          url,
          headers: Object.fromEntries(new Headers(headers)),
          ...(body && { body: String(body) }),
        },
        { timeoutMs, ...(signal && { signal }) },
      )
      .catch((cause: unknown) => {
        throw new TypeError('fetch failed', { cause });
      });
    return new Response(sent.status === 204 ? null : sent.body, {
      status: sent.status,
      headers: sent.headers,
    });
  };

/** Reads the provider's metadata. The issuer must equal the configured one, except for a slash at the end. */
export async function discover(
  connection: Pick<
    OidcConnection,
    'discoverUrl' | 'clientId' | 'clientSecret' | 'idTokenSigningAlgorithm'
  >,
  outgoing: Outgoing,
): Promise<Configuration> {
  const {
    discovery,
    clockTolerance,
    customFetch,
    allowInsecureRequests,
    enableNonRepudiationChecks,
  } = await library();
  const { discoverUrl, clientId, clientSecret, idTokenSigningAlgorithm } = connection;
  const metadata = {
    client_secret: clientSecret,
    [clockTolerance]: clockToleranceSeconds,
    ...(idTokenSigningAlgorithm && { id_token_signed_response_alg: idTokenSigningAlgorithm }),
  };
  const options = {
    timeout: libraryTimeoutSeconds,
    [customFetch]: guardedFetch(outgoing),
    execute: [enableNonRepudiationChecks, ...(isPlain(discoverUrl) ? [allowInsecureRequests] : [])],
  };
  const issuer = discoverUrl.replace(/(?:\/\.well-known\/openid-configuration)?\/*$/, '');
  const ask = async (url: string) =>
    discovery(new URL(url), clientId, metadata, await clientAuthentication(clientSecret), options);
  return ask(issuer).catch((error: unknown) => {
    if (!isOtherIssuer(error)) throw error;
    return ask(`${issuer}/`);
  });
}

/** The part of an error that may be logged. Requests and responses contain tokens. */
export function describe(error: unknown): { code?: string; reason: string } {
  if (!(error instanceof Error)) return { reason: 'unknown' };
  const { code, error: oauthError } = error as { code?: unknown; error?: unknown };
  const cause = error.cause as { code?: unknown } | undefined;
  const found = [oauthError, code, cause?.code].find((each) => typeof each === 'string');
  return { ...(typeof found === 'string' && { code: found.slice(0, 100) }), reason: error.message };
}

/** There was no answer in time. fetch throws a TypeError then. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error as { code?: unknown }).code === 'OAUTH_TIMEOUT';

const isCancelled = (error: unknown): boolean =>
  (error as { error?: unknown } | undefined)?.error === 'access_denied';

/** Throws if the metadata has no usable address for people to sign in at. */
async function loginRequest(
  configuration: Configuration,
  { enablePkce, addGroupsScope, acrValues }: OidcConnection,
  redirectUri: string,
): Promise<LoginRequest> {
  const client = await library();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const verifier = enablePkce ? client.randomPKCECodeVerifier() : undefined;
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: `openid email profile${addGroupsScope ? ' groups' : ''}`,
    state,
    nonce,
    ...(acrValues !== undefined && { acr_values: acrValues }),
    ...(verifier !== undefined && {
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  });
  return { url, state, nonce, verifier };
}

/** Talks to the OpenID Connect provider. */
export function createProvider({
  clock,
  log,
  outgoing,
}: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly outgoing: Outgoing;
}): Provider {
  /** One entry, because changed settings mean another provider. */
  const configurations = createLookupCache<Configuration>({
    lifetimeMs: cachedForMs,
    maxEntries: 1,
  });

  async function reach(connection: OidcConnection): Promise<Configuration | undefined> {
    try {
      const find = () => discover(connection, outgoing);
      return await configurations.get(JSON.stringify(connection), clock().getTime(), find);
    } catch (error) {
      log.warn(describe(error), 'the OpenID Connect discovery failed');
      return undefined;
    }
  }

  async function exchange(
    configuration: Configuration,
    connection: OidcConnection,
    callback: URL,
    { state, nonce, verifier }: Omit<LoginRequest, 'url'>,
  ): Promise<Identity> {
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      ...(verifier !== undefined && { pkceCodeVerifier: verifier }),
    });
    const token = tokens.claims();
    if (!token) throw new Error('the response contains no ID token');
    checkSubject(token.sub);
    const path = connection.enableGroupSyncing ? connection.groupJsonPath : undefined;
    const mayAsk = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo =
      mayAsk && isIncomplete(token, path)
        ? await fetchUserInfo(configuration, tokens.access_token, token.sub)
        : {};
    return identityOf(token, userInfo, path);
  }

  return {
    async begin(connection, redirectUri) {
      const configuration = await reach(connection);
      if (!configuration) return { refusal: 'provider-unavailable' };
      try {
        return await loginRequest(configuration, connection, redirectUri);
      } catch (error) {
        log.warn(describe(error), 'the OpenID Connect provider has no page to sign in at');
        return { refusal: 'provider-answer-not-valid' };
      }
    },

    async finish(connection, callback, login) {
      const configuration = await reach(connection);
      if (!configuration) return { refusal: 'provider-unavailable' };
      try {
        return await exchange(configuration, connection, callback, login);
      } catch (error) {
        if (isCancelled(error)) return { refusal: 'log-in-cancelled' };
        log.warn(describe(error), 'a sign-in at the OpenID Connect provider failed');
        return {
          refusal: isUnreachable(error) ? 'provider-unavailable' : 'provider-answer-not-valid',
        };
      }
    },
  };
}
