import type { Configuration } from 'openid-client';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import type { OidcFinding, OidcTest, OidcTestInput } from './contract.ts';
import { describe, discover, guardedFetch, isOtherIssuer, isUnreachable } from './provider.ts';

const passed = (message: string): OidcFinding => ({ result: 'passed', message });
const doubtful = (message: string): OidcFinding => ({ result: 'doubtful', message });
const failed = (message: string): OidcFinding => ({ result: 'failed', message });

type Metadata = ReturnType<Configuration['serverMetadata']>;

/** The part of an answer that helps, and never the answer itself: it may be a page of another server. */
function whyUnread(error: unknown): string {
  const { code, reason } = describe(error);
  if (isOtherIssuer(error)) return 'The provider calls itself by another address than this one';
  if (isUnreachable(error)) {
    return `The provider does not answer${code === undefined ? '' : ` (${code})`}`;
  }
  return `The provider does not describe itself at this address: ${reason.slice(0, 200)}`;
}

const list = (values: readonly string[]) => values.join(', ');

function algorithmFinding(
  { id_token_signing_alg_values_supported: offered }: Metadata,
  wanted: string | null | undefined,
): OidcFinding {
  if (!wanted) return passed(`It signs with ${list(offered ?? ['RS256'])}`);
  return offered === undefined || offered.includes(wanted)
    ? passed(`It signs with ${wanted}`)
    : failed(`It does not sign with ${wanted}, but with ${list(offered)}`);
}

function pkceFinding({ code_challenge_methods_supported: methods }: Metadata): OidcFinding {
  return methods?.includes('S256')
    ? passed('It supports PKCE')
    : doubtful('It does not say that it supports PKCE. If signing in fails, switch PKCE off');
}

function scopeFinding({ scopes_supported: scopes }: Metadata): OidcFinding {
  return scopes?.includes('groups')
    ? passed('It knows the scope groups')
    : doubtful('It does not say that it knows the scope groups, and may refuse to sign people in');
}

async function keysFinding(
  { jwks_uri: address }: Metadata,
  outgoing: Outgoing,
): Promise<OidcFinding> {
  if (address === undefined) return failed('It does not say where its keys are');
  try {
    const answer = await guardedFetch(outgoing)(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
    });
    const { keys } = (await answer.json()) as { keys?: readonly unknown[] };
    if (!Array.isArray(keys) || keys.length === 0) return failed('It has no keys');
    return passed(keys.length === 1 ? 'It has 1 key' : `It has ${keys.length} keys`);
  } catch (error) {
    const { code } = describe(error);
    return failed(`Its keys cannot be read${code === undefined ? '' : ` (${code})`}`);
  }
}

/** Asks the provider about itself, as the first sign-in would. */
export async function testProvider(
  { discoverUrl, hasClientId, hasSecret, ...wanted }: OidcTestInput,
  redirectUri: string,
  outgoing: Outgoing,
): Promise<OidcTest> {
  if (!discoverUrl) {
    return {
      redirectUri,
      issuer: null,
      findings: [failed('The address of the provider is missing')],
    };
  }
  const credentials = [
    ...(hasClientId ? [] : [doubtful('The client id is missing')]),
    ...(hasSecret ? [] : [doubtful('The client secret is missing')]),
  ];
  try {
    // Describing itself, a provider does not look at the client.
    const connection = { discoverUrl, clientId: 'burgee', clientSecret: 'none' };
    const metadata = (await discover(connection, outgoing)).serverMetadata();
    return {
      redirectUri,
      issuer: metadata.issuer,
      findings: [
        passed(`The provider answers as ${metadata.issuer}`),
        metadata.authorization_endpoint && metadata.token_endpoint
          ? passed('It offers signing in with a code')
          : failed('It does not say where people sign in'),
        await keysFinding(metadata, outgoing),
        algorithmFinding(metadata, wanted.idTokenSigningAlgorithm),
        ...(wanted.enablePkce ? [pkceFinding(metadata)] : []),
        ...(wanted.addGroupsScope ? [scopeFinding(metadata)] : []),
        ...credentials,
      ],
    };
  } catch (error) {
    return { redirectUri, issuer: null, findings: [failed(whyUnread(error)), ...credentials] };
  }
}
