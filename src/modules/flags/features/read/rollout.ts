/** An enabled strategy, as far as its audience matters. */
export interface Targeting {
  readonly name: string;
  /** The percentage in its parameters. */
  readonly share: string | null;
  /** Whether it has constraints or segments. */
  readonly restricted: boolean;
}

export interface Rollout {
  readonly enabledStrategyCount: number;
  readonly rollout: number | null;
  readonly targeted: boolean;
}

const rolloutTypes: ReadonlySet<string> = new Set([
  'flexibleRollout',
  'gradualRolloutUserId',
  'gradualRolloutSessionId',
  'gradualRolloutRandom',
]);

/** The percentage of a strategy, or null if its type has none. SDKs read a missing or invalid one as 0. */
function shareOf({ name, share }: Targeting): number | null {
  if (name === 'default') return 100;
  if (!rolloutTypes.has(name)) return null;
  const percentage = Number(share ?? 0);
  return Number.isFinite(percentage) ? Math.min(100, Math.max(0, percentage)) : 0;
}

/** Who gets a feature where it is enabled: one strategy decides it, or one that is for everyone. */
export function rolloutOf(strategies: readonly Targeting[]): Rollout {
  const enabledStrategyCount = strategies.length;
  const isForAll = strategies.some((each) => !each.restricted && shareOf(each) === 100);
  const [only, ...others] = strategies;
  if (isForAll) return { enabledStrategyCount, rollout: 100, targeted: false };
  if (!only || others.length > 0) {
    return { enabledStrategyCount, rollout: null, targeted: false };
  }
  const rollout = shareOf(only);
  return { enabledStrategyCount, rollout, targeted: only.restricted || rollout === null };
}
