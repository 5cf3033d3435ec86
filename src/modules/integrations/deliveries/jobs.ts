import type { Module } from '../../../platform/module.ts';
import { prune } from './prune.ts';

export const recordJobs: NonNullable<Module['jobs']> = ({ writeDb, clock, stopping }) => [
  {
    name: 'integrations: delete old records',
    everyMs: 60_000,
    run: async () => void (await prune(writeDb, clock(), stopping)),
  },
];
