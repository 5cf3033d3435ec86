import type { Module } from '../../../platform/module.ts';
import { forgetOldSessions } from './sessions/sessions.ts';

export const jobs: NonNullable<Module['jobs']> = ({ transact, system, settings }) => [
  {
    name: 'access: delete sessions that are over',
    everyMs: 600_000,
    run: () => transact(system, async (tx) => void (await forgetOldSessions(tx, settings))),
  },
];
