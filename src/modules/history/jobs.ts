import type { Module, Services } from '../../platform/module.ts';
import { advance, removeOldStates } from './catch-up.ts';

/** Applies all events that the history does not contain yet. */
export async function catchUp({
  transact,
  system,
  log,
}: Pick<Services, 'transact' | 'system' | 'log'>): Promise<void> {
  while (await transact(system, (tx) => advance(tx, log)));
}

export const jobs: NonNullable<Module['jobs']> = (services) => [
  {
    name: 'history: apply new events',
    everyMs: 10_000,
    run: () => catchUp(services),
  },
  {
    name: 'history: remove old states',
    everyMs: 60 * 60 * 1000,
    run: () => services.transact(services.system, removeOldStates),
  },
];
