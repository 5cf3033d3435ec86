import { type ChangedPart, partsOf, type Subject } from './subject.ts';

interface WithStickiness {
  readonly stickiness?: string;
}

interface WithVariants {
  readonly variants?: readonly WithStickiness[];
}

interface ChangedStrategy {
  readonly id?: unknown;
  readonly name?: string;
  readonly parameters?: WithStickiness;
}

const lacksOwn = ({ stickiness }: WithStickiness): boolean => stickiness === undefined;

/** A gradual rollout without stickiness gets that of the project. */
export function lacksStickiness(strategy: unknown): boolean {
  const { name, parameters } = strategy as ChangedStrategy;
  return name === 'flexibleRollout' && !parameters?.stickiness;
}

/** Whether a change can be about something that gets the stickiness of the project. */
export function mayGetStickiness({ action, payload }: ChangedPart): boolean {
  if (action === 'updateStrategy') {
    return lacksStickiness({ name: 'flexibleRollout', ...(payload as object) });
  }
  if (action === 'createFeature') return true;
  const isOfVariants = action === 'patchVariant' || action === 'updateVariants';
  return isOfVariants && ((payload as WithVariants).variants ?? []).some(lacksOwn);
}

/**
 * The payloads of the changes of a request with the stickiness that they get from the project now, so that a later change
 * of the project's default does not change what was approved. `typeOf`: the types of the strategies that there are.
 */
export function withStickiness(
  changes: readonly Subject[],
  stickiness: string | null,
  typeOf: ReadonlyMap<unknown, string>,
): readonly unknown[] {
  if (stickiness === null) return changes.map(({ payload }) => payload);
  const types = new Map(typeOf);
  const complete = <Owner extends WithVariants>(owner: Owner): Owner =>
    owner.variants
      ? {
          ...owner,
          variants: owner.variants.map((each) => (lacksOwn(each) ? { ...each, stickiness } : each)),
        }
      : owner;
  const completeStrategy = (changed: ChangedStrategy): ChangedStrategy => {
    const { id, name: newType, parameters } = changed;
    const before = types.get(id);
    const type = newType ?? before;
    if (type === undefined) return changed;
    types.set(id, type);
    const keepsParameters = parameters === undefined && type === before;
    if (type !== 'flexibleRollout' || parameters?.stickiness || keepsParameters) return changed;
    return { ...changed, parameters: { ...parameters, stickiness } };
  };
  const payloadOf = ({ action, payload }: ChangedPart): unknown => {
    if (action === 'updateStrategy') return completeStrategy(payload as ChangedStrategy);
    if (action === 'patchVariant' || action === 'updateVariants') {
      return complete(payload as WithVariants);
    }
    if (action !== 'createFeature') return payload;
    const { environments, ...feature } = payload as { environments?: readonly WithVariants[] };
    return environments ? { ...feature, environments: environments.map(complete) } : payload;
  };
  return changes.map((change) => {
    if (change.action !== 'saveFeatureChanges') return payloadOf(change);
    const parts = partsOf(change).map((part) =>
      'payload' in part ? { ...part, payload: payloadOf(part) } : part,
    );
    return { ...(change.payload as object), changes: parts };
  });
}
