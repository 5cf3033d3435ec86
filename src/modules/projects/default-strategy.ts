import type { DefaultStrategy, SetDefaultStrategy } from './contract/strategy.ts';

/** A strategy as it is kept: every field in place, parameters as text, nothing that is not known. */
export const completeStrategy = (wish: SetDefaultStrategy): DefaultStrategy => ({
  name: wish.name,
  ...(wish.title && { title: wish.title }),
  disabled: wish.disabled ?? false,
  sortOrder: wish.sortOrder ?? 0,
  constraints: (wish.constraints ?? []).map((constraint) => ({
    contextName: constraint.contextName,
    operator: constraint.operator,
    caseInsensitive: constraint.caseInsensitive ?? false,
    inverted: constraint.inverted ?? false,
    values: constraint.values ?? [],
    ...(constraint.value !== undefined && { value: constraint.value }),
  })),
  variants: (wish.variants ?? []).map(({ name, weight, weightType, stickiness, payload }) => ({
    name,
    weight,
    weightType,
    stickiness,
    ...(payload && { payload: { type: payload.type, value: payload.value } }),
  })),
  parameters: Object.fromEntries(
    Object.entries(wish.parameters ?? {}).map(([key, value]) => [key, String(value)]),
  ),
  segments: wish.segments ?? [],
});

/** What new features really get: the stored strategy, over the one that everybody has. */
export function effectiveStrategy(
  stored: DefaultStrategy | null,
  defaultStickiness: string,
): DefaultStrategy {
  const strategy = stored ?? completeStrategy({ name: 'flexibleRollout' });
  const usual = { rollout: '100', stickiness: defaultStickiness, groupId: '' };
  return { ...strategy, parameters: { ...usual, ...strategy.parameters } };
}
