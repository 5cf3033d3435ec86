import type { Services } from '../../../../platform/module.ts';
import type { LoginOutcome } from './contract.ts';

/** Counts log-ins and refusals on this instance. */
export function countSignIn(
  { figures }: Pick<Services, 'figures'>,
  method: 'password' | 'oidc',
  outcome: LoginOutcome,
): void {
  figures.counter({
    name: 'burgee_sign_ins_total',
    help: 'Sign-in attempts, by method and outcome',
    labels: ['method', 'outcome'],
  })({ method, outcome });
}
