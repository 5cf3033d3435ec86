import type { SdkServices } from '../../modules/sdk/services.ts';
import { unavailable } from '../../platform/errors.ts';
import type { EdgeSettings } from '../settings.ts';
import type { ServedTokens } from './served-tokens.ts';

type SdkTokens = SdkServices['sdkTokens'];

/** Unknown ones are looked up in parts: one address looks up only so many at once. */
const partSize = 50;

const listed = (projects: 'all' | readonly string[]): string[] =>
  projects === 'all' ? ['*'] : [...projects];

/** The tokens that the upstream has validated; offline, those of the settings. */
export function createEdgeTokens(
  tokens: Pick<ServedTokens, 'find' | 'byId' | 'onChange'>,
  { mode }: Pick<EdgeSettings, 'mode'>,
): SdkTokens {
  return {
    /** Throws 503 rather than leave out a token that may be valid: an edge behind this one would revoke it. */
    async validate(secrets, ip) {
      const unique = [...new Set(secrets)];
      const valid: Awaited<ReturnType<SdkTokens['validate']>>['tokens'] = [];
      for (let at = 0; at < unique.length; at += partSize) {
        const part = unique.slice(at, at + partSize);
        const found = await Promise.all(part.map((secret) => tokens.find(secret, ip)));
        for (const [index, identity] of found.entries()) {
          if (!identity || identity === 'unsuitable') continue;
          const { audience, environment, projects, isValidated } = identity.token;
          if (!isValidated && mode !== 'offline') {
            throw unavailable('The upstream has not validated a token yet', 5);
          }
          const type = audience === 'admin' ? 'client' : audience;
          const token = part[index] as string;
          valid.push({ token, type, environment, projects: listed(projects) });
        }
      }
      return { tokens: valid };
    },
    listValid: async (ids) =>
      ids.flatMap((id) => {
        const found = tokens.byId(id)?.token;
        if (!found) return [];
        const { environment, projects } = found;
        return [{ id, environment, projects: listed(projects), expiresAt: null }];
      }),
    onChange: tokens.onChange,
  };
}
