import { percent, plural } from '../../ui/format.ts';
import type { FoundFeature } from './feature-pages.ts';

type InEnvironment = Pick<
  FoundFeature['environments'][number],
  'type' | 'enabled' | 'hasStrategies' | 'enabledStrategyCount' | 'rollout' | 'targeted'
>;

interface RolloutWords {
  readonly text: string;
  readonly title: string;
}

/** What a switch alone doesn't say: that only some users get the feature, or that it was never configured. */
export function rolloutWords(state: InEnvironment): RolloutWords | undefined {
  const { type, enabled, hasStrategies, enabledStrategyCount: count, rollout, targeted } = state;
  if (!enabled) {
    // Elsewhere it would be said of most features, and matters to few.
    if (hasStrategies || type !== 'production') return undefined;
    return {
      text: 'No strategies',
      title: "Enabling this feature adds the project's default strategy",
    };
  }
  if (count === 0) {
    return hasStrategies ? { text: percent(0), title: 'All strategies are disabled' } : undefined;
  }
  if (rollout === null && !targeted) {
    const strategies = plural(count, 'strategy', 'strategies');
    return { text: strategies, title: `Users who match any of ${strategies}` };
  }
  if (targeted && (rollout === null || rollout === 100)) {
    return { text: 'Targeted', title: 'Users who match its strategy' };
  }
  if (rollout === null || rollout === 100) return undefined;
  const share = percent(rollout);
  return {
    text: share,
    title: targeted ? `${share} of users who match its strategy` : `${share} of users`,
  };
}
