import type { Module, Services } from '../../../../platform/module.ts';
import { forgetNoLongerDue, recordSomeDue } from './service.ts';

/** Records all due features, unless the server stops first. */
export async function recordPotentiallyStale({
  transact,
  system,
  stopping,
}: Pick<Services, 'transact' | 'system' | 'stopping'>): Promise<void> {
  await transact(system, forgetNoLongerDue);
  while (!stopping.aborted && (await transact(system, recordSomeDue)));
}

export const jobs: NonNullable<Module['jobs']> = (services) => [
  {
    name: 'health: report potentially stale features',
    everyMs: 30_000,
    run: () => recordPotentiallyStale(services),
  },
];
