import type { Installation } from '../document.ts';

/**
 * Environments that SDKs use: those of client and frontend tokens that have not expired, and those from which an
 * application has reported. Without a token, no SDK gets anything of an environment.
 */
export function environmentsInUse(
  {
    environments,
    tokens,
    applications,
  }: Pick<Installation, 'tokens' | 'applications'> & {
    readonly environments: readonly { readonly name: string }[];
  },
  now: Date,
): string[] {
  const valid = tokens.filter(
    ({ type, expiresAt }) =>
      type !== 'admin' && (expiresAt === null || !(Date.parse(expiresAt) <= now.getTime())),
  );
  // Very old tokens are for all environments.
  const all = valid.some(({ environment }) => environment === '*' || environment === '')
    ? environments.map(({ name }) => name)
    : [];
  const used = new Set([
    ...all,
    ...valid.map(({ environment }) => environment),
    ...applications.flatMap(({ usage = [], features = [] }) =>
      [...usage, ...features].flatMap((each) => each.environments),
    ),
  ]);
  return [...used].filter((name) => name !== '*' && name !== '').sort();
}
