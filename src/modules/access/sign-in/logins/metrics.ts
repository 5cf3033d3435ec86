import type { Services } from '../../../../platform/module.ts';
import type { LoginOutcome } from './contract.ts';

/** Counts log-ins and refusals on this instance. */
export function countSignIn(
  { metrics }: Pick<Services, 'metrics'>,
  method: 'password' | 'oidc',
  outcome: LoginOutcome,
): void {
  metrics.counter({
    name: 'burgee_sign_ins_total',
    help: 'Sign-in attempts, by method and outcome',
    labels: ['method', 'outcome'],
  })({ method, outcome });
}
