import type { Actor } from '../../../../platform/actor.ts';
import type { Services } from '../../../../platform/module.ts';
import { findProposal } from '../../guard/index.ts';
import { propose } from './service.ts';

/**
 * Proposes what was refused because it needs approval, in the caller's draft. Undefined if it was refused for another
 * reason.
 */
export const createProposeInstead =
  ({ transact }: Pick<Services, 'transact'>) =>
  async (refusal: unknown, actor: Actor) => {
    const proposal = findProposal(refusal);
    if (!proposal) return undefined;
    const { place, body } = proposal;
    const changes = [body].flat().map((change, index) => ({ change, at: `/body/${index}` }));
    const { id, project, environment } = await transact(actor, (tx) => propose(tx, place, changes));
    return { changeRequest: { id, project, environment } };
  };
