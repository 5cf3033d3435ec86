import { joinAnd, numberText } from '../../ui/format.ts';
import type { Change } from './draft.ts';

/** How many changes each environment has: "development 1, production 2". */
export function changeSummary(changes: readonly Pick<Change, 'environment'>[]): string {
  const counts = new Map<string, number>();
  for (const { environment = 'dependencies' } of changes) {
    counts.set(environment, (counts.get(environment) ?? 0) + 1);
  }
  return [...counts].map(([where, count]) => `${where} ${numberText(count)}`).join(', ');
}

interface EnvironmentState {
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
}

/** Warns before changes that users in production notice. Dependencies count in every environment. */
export function productionWarning(
  changes: readonly Pick<Change, 'environment'>[],
  environments: readonly EnvironmentState[],
): string | undefined {
  const affected = environments.filter(
    ({ name, type, enabled }) =>
      type === 'production' &&
      enabled &&
      changes.some(({ environment = name }) => environment === name),
  );
  if (affected.length === 0) return undefined;
  return `Enabled in ${joinAnd(affected.map(({ name }) => name))}. Changes take effect immediately.`;
}
