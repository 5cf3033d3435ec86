import type { TokenScope } from '../../../../platform/actor.ts';
import type { Services } from '../../../../platform/module.ts';
import type { ValidToken } from '../sdk-tokens.ts';

interface Watched {
  readonly tokenScope: TokenScope;
  uses: number;
  /** When the token expires, once that is known. */
  endsAt?: number | undefined;
}

interface TokenWatch {
  /** Adds a use of a token, and looks up whether the token is still valid. */
  readonly add: (token: number, tokenScope: TokenScope) => void;
  readonly remove: (token: number) => void;
  /** Must be called every second. */
  readonly tick: (now: Date) => void;
}

function hasSameScope({ environment, projects }: ValidToken, tokenScope: TokenScope): boolean {
  if (environment !== tokenScope.environment) return false;
  if (projects.includes('*') || tokenScope.scopes === 'all') {
    return projects.includes('*') && tokenScope.scopes === 'all';
  }
  const { scopes } = tokenScope;
  return scopes.length === projects.length && projects.every((id) => scopes.includes(id));
}

/**
 * Reports tokens that have ended or whose scope changed, as soon as that is known: by the notice of each
 * change, and by the clock. One question looks up all of them, however many streams they have.
 */
export function watchTokens(
  { sdkTokens, log }: Pick<Services, 'sdkTokens' | 'log'>,
  end: (tokens: readonly number[]) => void,
): TokenWatch {
  const watched = new Map<number, Watched>();
  const doubted = new Set<number>();
  let checking = false;
  /** Logs an outage once, not every second. */
  let failing = false;

  async function judge(tokens: readonly number[]): Promise<void> {
    const valid = new Map((await sdkTokens.listValid(tokens)).map((each) => [each.id, each]));
    const over = tokens.filter((token) => {
      const entry = watched.get(token);
      const found = valid.get(token);
      if (entry && found) entry.endsAt = found.expiresAt?.getTime();
      return entry && !(found && hasSameScope(found, entry.tokenScope));
    });
    if (over.length > 0) end(over);
  }

  async function check(): Promise<void> {
    if (checking) return;
    checking = true;
    while (doubted.size > 0) {
      const tokens = [...doubted];
      doubted.clear();
      try {
        await judge(tokens);
        failing = false;
      } catch (error) {
        // The next tick tries again.
        for (const token of tokens) doubted.add(token);
        if (!failing) log.warn({ err: error }, 'the tokens of streams could not be looked up');
        failing = true;
        break;
      }
    }
    checking = false;
  }

  sdkTokens.onChange(() => {
    for (const token of watched.keys()) doubted.add(token);
    void check();
  });

  return {
    add(token, tokenScope) {
      const entry = watched.get(token);
      if (entry) {
        entry.uses += 1;
        return;
      }
      watched.set(token, { tokenScope, uses: 1 });
      doubted.add(token);
      void check();
    },
    remove(token) {
      const entry = watched.get(token);
      if (!entry) return;
      entry.uses -= 1;
      if (entry.uses === 0) watched.delete(token);
    },
    tick(now) {
      const over = [...watched].filter(([, { endsAt }]) => endsAt && endsAt <= now.getTime());
      if (over.length > 0) end(over.map(([token]) => token));
      if (doubted.size > 0) void check();
    },
  };
}
