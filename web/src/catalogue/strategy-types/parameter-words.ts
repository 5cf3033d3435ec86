import type { StrategyType } from '../../flags/strategy/strategy-check.ts';

export type Parameter = StrategyType['parameters'][number];

export const parameterKinds: readonly {
  readonly value: Parameter['type'];
  readonly label: string;
}[] = [
  { value: 'string', label: 'String' },
  { value: 'list', label: 'List' },
  { value: 'number', label: 'Number' },
  { value: 'percentage', label: 'Percentage' },
  { value: 'boolean', label: 'Boolean' },
];

/** "rollout (Percentage, required)". */
export function parameterText({ name, type, required }: Parameter): string {
  const kind = parameterKinds.find(({ value }) => value === type)?.label ?? type;
  return `${name} (${kind}${required ? ', required' : ''})`;
}
