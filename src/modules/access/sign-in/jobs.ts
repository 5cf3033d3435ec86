import type { Module } from '../../../platform/module.ts';
import { forgetOldAttempts } from './service/attempts.ts';

export const jobs: NonNullable<Module['jobs']> = ({ transact, system }) => [
  {
    name: 'sign-in: delete attempts that no longer count',
    everyMs: 600_000,
    run: () => transact(system, forgetOldAttempts),
  },
];
