import type { Tx } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/module.ts';
import type { Thing } from '../../history/index.ts';

/** The order in which everything is made: what others refer to first, and removed last. */
export const stages = [
  'loosen',
  'create environment',
  'create role',
  'create group',
  'create project',
  'create catalogue',
  'add environment',
  // Owners of features in a private project have access to it.
  'grant',
  'create',
  'move',
  'change',
  'revoke',
  'depend',
  'archive child',
  'archive',
  'delete',
  'remove environment',
  'delete catalogue',
  'delete project',
  'delete group',
  'delete role',
  'delete environment',
] as const;
type Stage = (typeof stages)[number];

/** What operations need that change more than features and segments. */
export type StepServices = Pick<Services, 'runHook' | 'settings'>;

/** An ordinary change, as its own operation makes it. */
export interface Step {
  readonly stage: Stage;
  /** The thing whose state differs. */
  readonly thing: Thing;
  /** Undefined if the service demands it. */
  readonly permission?: string | readonly string[];
  readonly project?: string | undefined;
  readonly environment?: string;
  readonly run: (tx: Tx) => Promise<unknown>;
}
