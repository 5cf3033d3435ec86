import type { Module, Services } from '../../../../platform/module.ts';
import { forgetNoLongerDue, tellSomeDue } from './service.ts';

/** One turn: all that is due at its beginning is told when it ends, unless the server stops before. */
export async function tellPotentiallyStale({
  transact,
  system,
  stopping,
}: Pick<Services, 'transact' | 'system' | 'stopping'>): Promise<void> {
  await transact(system, forgetNoLongerDue);
  while (!stopping.aborted && (await transact(system, tellSomeDue)));
}

export const jobs: NonNullable<Module['jobs']> = (services) => [
  {
    name: 'health: tell of features that became potentially stale',
    everyMs: 30_000,
    run: () => tellPotentiallyStale(services),
  },
];
