import type { Configuration } from 'openid-client';
import { counted } from '../../../platform/counted.ts';
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
  if (isOtherIssuer(error)) return 'Issuer mismatch: the provider reports a different issuer';
  if (isUnreachable(error)) {
    return `Couldn't reach the provider${code === undefined ? '' : ` (${code})`}`;
  }
  return `No OpenID configuration found at this URL: ${reason.slice(0, 200)}`;
}

const list = (values: readonly string[]) => values.join(', ');

function algorithmFinding(
  { id_token_signing_alg_values_supported: offered }: Metadata,
  wanted: string | null | undefined,
): OidcFinding {
  if (!wanted) return passed(`Signing algorithms: ${list(offered ?? ['RS256'])}`);
  return offered === undefined || offered.includes(wanted)
    ? passed(`Supports signing algorithm ${wanted}`)
    : failed(`Signing algorithm ${wanted} isn't supported. Supported: ${list(offered)}`);
}

function pkceFinding({ code_challenge_methods_supported: methods }: Metadata): OidcFinding {
  return methods?.includes('S256')
    ? passed('Supports PKCE')
    : doubtful('PKCE support not advertised. If sign-in fails, disable PKCE');
}

function scopeFinding({ scopes_supported: scopes }: Metadata): OidcFinding {
  return scopes?.includes('groups')
    ? passed('Supports the groups scope')
    : doubtful('Support for the groups scope not advertised. The provider may reject sign-ins');
}

async function keysFinding(
  { jwks_uri: address }: Metadata,
  outgoing: Outgoing,
): Promise<OidcFinding> {
  if (address === undefined) return failed('No JWKS URI advertised');
  try {
    const answer = await guardedFetch(outgoing)(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
    });
    const { keys } = (await answer.json()) as { keys?: readonly unknown[] };
    if (!Array.isArray(keys) || keys.length === 0) return failed('No signing keys found');
    return passed(`${counted(keys.length, 'signing key')} found`);
  } catch (error) {
    const { code } = describe(error);
    return failed(`Couldn't read signing keys${code === undefined ? '' : ` (${code})`}`);
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
      findings: [failed('Issuer URL missing')],
    };
  }
  const credentials = [
    ...(hasClientId ? [] : [doubtful('Client ID missing')]),
    ...(hasSecret ? [] : [doubtful('Client secret missing')]),
  ];
  try {
    // Describing itself, a provider does not look at the client.
    const connection = { discoverUrl, clientId: 'burgee', clientSecret: 'none' };
    const metadata = (await discover(connection, outgoing)).serverMetadata();
    return {
      redirectUri,
      issuer: metadata.issuer,
      findings: [
        passed(`Connected to ${metadata.issuer}`),
        metadata.authorization_endpoint && metadata.token_endpoint
          ? passed('Supports the authorization code flow')
          : failed('No authorization or token endpoint advertised'),
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
