import type { SdkServices } from '../../modules/sdk/services.ts';
import type { Feed } from '../hub/feed.ts';
import { hashOf } from '../hub/tokens.ts';
import type { ServedTokens } from './served-tokens.ts';

type SdkTokens = SdkServices['sdkTokens'];

interface Sources {
  readonly feed: Pick<Feed, 'find'>;
  readonly tokens: Pick<ServedTokens, 'byId' | 'onChange'>;
}

const listed = (projects: 'all' | readonly string[]): string[] =>
  projects === 'all' ? ['*'] : [...projects];

/** The tokens that the upstream has validated. */
export function createEdgeTokens({ feed, tokens }: Sources): SdkTokens {
  return {
    /** Throws 503 rather than leave out a token that may be valid: an edge behind this one would revoke it. */
    async validate(secrets) {
      const unique = [...new Set(secrets)];
      const { served } = await feed.find(unique);
      const byHash = new Map(served.map((token) => [token.hash, token]));
      return {
        tokens: unique.flatMap((secret) => {
          const token = byHash.get(hashOf(secret));
          if (!token) return [];
          const type = token.audience === 'admin' ? 'client' : token.audience;
          const { environment, projects } = token;
          return [{ token: secret, type, environment, projects: listed(projects) }];
        }),
      };
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
