import type { Api } from '../../../../src/contract.ts';

interface Use {
  readonly applications: Api['GET /api/admin/metrics/applications']['response'] | undefined;
  readonly tokens: Api['GET /api/admin/api-tokens']['response'] | undefined;
}

/**
 * Whether an application has asked for features. SDKs register as applications. A request without an SDK, such as that
 * of the curl command, only uses its token.
 */
export const isConnected = ({ applications, tokens }: Use): boolean =>
  (applications?.applications.length ?? 0) > 0 ||
  (tokens?.tokens.some(({ type, seenAt }) => type !== 'admin' && seenAt !== null) ?? false);
