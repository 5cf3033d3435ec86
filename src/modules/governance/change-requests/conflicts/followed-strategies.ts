import type { Subject } from './subject.ts';

/** Whether each strategy is enabled, by id. Those that a request adds have none yet. */
type Strategies = Map<unknown, boolean>;

interface Input {
  readonly disabled?: boolean | null;
}

/** A change, or a part of one, in its environment. */
export type Step = Subject & { readonly environment: string };

interface StoredStrategy {
  readonly id: string;
  readonly featureName: string;
  readonly environment: string;
  readonly disabled: boolean;
}

const none: readonly string[] = [];

/**
 * Follows the strategies of features while the changes of a request are made in their order. Returns the environments in
 * which a change adds the default strategy, because it enables a feature that has no enabled strategy at that moment.
 */
export function followStrategies(
  stored: readonly StoredStrategy[],
): (step: Step) => readonly string[] {
  const features = new Map<string | null, Map<string, Strategies>>();
  const strategiesOf = (feature: string | null, environment: string): Strategies => {
    const own = features.get(feature) ?? new Map<string, Strategies>();
    const strategies = own.get(environment) ?? new Map<unknown, boolean>();
    features.set(feature, own.set(environment, strategies));
    return strategies;
  };
  for (const { id, featureName, environment, disabled } of stored) {
    strategiesOf(featureName, environment).set(id, !disabled);
  }
  const add = (strategies: Strategies, { disabled }: Input = {}) =>
    strategies.set(Symbol('added'), disabled !== true);
  /** Returns whether that adds the default strategy. */
  const enable = (strategies: Strategies): boolean => {
    const isAdded = ![...strategies.values()].includes(true);
    if (isAdded) add(strategies);
    return isAdded;
  };

  const actions: Readonly<Record<string, (payload: never, step: Step) => readonly string[]>> = {
    addStrategy: (payload: Input, { feature, environment }) => {
      add(strategiesOf(feature, environment), payload);
      return none;
    },
    updateStrategy: ({ id, disabled }: Input & { id: string }, { feature, environment }) => {
      const strategies = strategiesOf(feature, environment);
      if (strategies.has(id) && disabled != null) strategies.set(id, !disabled);
      return none;
    },
    deleteStrategy: ({ id }: { id: string }, { feature, environment }) => {
      strategiesOf(feature, environment).delete(id);
      return none;
    },
    updateEnabled: (
      payload: { enabled: boolean; shouldActivateDisabledStrategies?: boolean },
      { feature, environment },
    ) => {
      if (!payload.enabled) return none;
      const strategies = strategiesOf(feature, environment);
      if (payload.shouldActivateDisabledStrategies) {
        for (const id of strategies.keys()) strategies.set(id, true);
      }
      return enable(strategies) ? [environment] : none;
    },
    createFeature: ({ name, environments = [] }: NewFeature) =>
      environments.flatMap(({ name: environment, enabled = false, strategies = [] }) => {
        const own = strategiesOf(name, environment);
        for (const strategy of strategies) add(own, strategy);
        return enabled && enable(own) ? [environment] : none;
      }),
    cloneFeatures: (payload: { features: readonly { feature: string; name: string }[] }) => {
      for (const { feature, name } of payload.features) {
        for (const [environment, strategies] of features.get(feature) ?? []) {
          for (const [id, isEnabled] of strategies) {
            strategiesOf(name, environment).set(id, isEnabled);
          }
        }
      }
      return none;
    },
  };
  return (step) => actions[step.action]?.(step.payload as never, step) ?? none;
}

interface NewFeature {
  readonly name: string;
  readonly environments?: readonly {
    readonly name: string;
    readonly enabled?: boolean;
    readonly strategies?: readonly Input[];
  }[];
}
