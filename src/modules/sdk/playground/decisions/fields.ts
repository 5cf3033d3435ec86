import type { DefinedFeature, Snapshot } from '../../snapshot/index.ts';

/** The context fields that a stickiness looks at. */
const fieldsOfStickiness = (stickiness: unknown): string[] => {
  if (typeof stickiness !== 'string' || stickiness === '' || stickiness === 'random') return [];
  return [stickiness === 'default' ? 'userId' : stickiness];
};

const fieldsOfTypes: Readonly<Record<string, string>> = {
  userWithId: 'userId',
  gradualRolloutUserId: 'userId',
  gradualRolloutSessionId: 'sessionId',
  remoteAddress: 'remoteAddress',
};

function fieldsOf({ definition }: DefinedFeature, segments: Snapshot['segments']): Set<string> {
  const found = new Set<string>();
  for (const strategy of definition.strategies ?? []) {
    const constraints = [
      ...(strategy.constraints ?? []),
      ...(strategy.segments ?? []).flatMap((id) => segments.get(id)?.constraints ?? []),
    ];
    for (const { contextName } of constraints) found.add(contextName);
    const byType = fieldsOfTypes[strategy.name];
    if (byType !== undefined) found.add(byType);
    const { rollout, stickiness } = strategy.parameters ?? {};
    // Everyone is in a rollout of 100 %.
    if (String(rollout) !== '100')
      for (const field of fieldsOfStickiness(stickiness)) found.add(field);
    for (const { stickiness: of } of strategy.variants ?? []) {
      for (const field of fieldsOfStickiness(of)) found.add(field);
    }
  }
  for (const { stickiness, overrides } of definition.variants ?? []) {
    for (const field of fieldsOfStickiness(stickiness)) found.add(field);
    for (const { contextName } of overrides ?? []) found.add(contextName);
  }
  return found;
}

const maxFields = 100;

/** On which context fields features depend, and how many of them. */
export function fieldsInUse(
  features: Iterable<DefinedFeature>,
  segments: Snapshot['segments'],
): { readonly name: string; readonly features: number }[] {
  const users = new Map<string, Set<string>>();
  for (const feature of features) {
    for (const field of fieldsOf(feature, segments)) {
      const names = users.get(field) ?? new Set();
      users.set(field, names.add(feature.name));
    }
  }
  return [...users]
    .map(([name, names]) => ({ name, features: names.size }))
    .sort((a, b) => b.features - a.features || (a.name < b.name ? -1 : 1))
    .slice(0, maxFields);
}
