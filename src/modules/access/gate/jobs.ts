import type { Module } from '../../../platform/module.ts';
import { deleteExpiredSessions } from './sessions/sessions.ts';

export const jobs: NonNullable<Module['jobs']> = ({ writeDb, clock, settings }) => [
  {
    name: 'access: delete sessions that are over',
    everyMs: 600_000,
    run: () => deleteExpiredSessions(writeDb, clock(), settings),
  },
];
