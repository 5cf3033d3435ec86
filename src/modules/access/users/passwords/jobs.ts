import type { Module } from '../../../../platform/module.ts';
import { deleteOldPasswordLinks } from './link-queries.ts';

export const jobs: NonNullable<Module['jobs']> = ({ writeDb, clock }) => [
  {
    name: 'users: delete links that are over',
    everyMs: 3_600_000,
    run: () => deleteOldPasswordLinks(writeDb, clock()),
  },
];
