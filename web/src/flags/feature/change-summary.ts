import { numberText } from '../../ui/format.ts';
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

/** The environments in production where users notice the changes. Dependencies count in every environment. */
export const affectedInProduction = <E extends EnvironmentState>(
  changes: readonly Pick<Change, 'environment'>[],
  environments: readonly E[],
): readonly E[] =>
  environments.filter(
    ({ name, type, enabled }) =>
      type === 'production' &&
      enabled &&
      changes.some(({ environment = name }) => environment === name),
  );
