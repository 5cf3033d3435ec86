import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { sendReadyJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { contentOf, fits, listStored } from '../proof/chain.ts';
import { fieldVisibilityFor } from '../visibility.ts';
import { type ChainState, createChainWatch } from './chain-watch.ts';
import { oneEventContract as contract } from './contract.ts';
import { findEvent, listReverts, readEnds, readLogSize } from './queries.ts';
import { describeReverts } from './reverts.ts';

interface Link {
  readonly id: number;
  readonly hash: Buffer;
  readonly previousHash: Buffer;
  readonly isLinked: boolean;
}

async function readLink(db: Db, id: number, previousHash: Buffer): Promise<Link | undefined> {
  const [event] = await listStored(db, { after: id - 1, limit: 1 });
  if (event?.id !== id) return undefined;
  const { hash } = event;
  return { id, hash, previousHash, isLinked: fits(hash, id, previousHash, contentOf(event)) };
}

/** A later id would reveal hidden events to a caller who does not see all events. */
const shownId = (id: number, at: number, { sees }: Actor) =>
  sees === 'all' ? id : Math.min(id, at);

const chainState = (isVerified: boolean, isBroken: boolean): 'broken' | 'verified' | 'checking' =>
  isBroken ? 'broken' : isVerified ? 'verified' : 'checking';

function describeChain(
  { id, hash, previousHash, isLinked }: Link,
  { firstId, through, at, fault }: ChainState,
  actor: Actor,
) {
  const isBroken = !isLinked || (fault !== undefined && fault.eventId <= id);
  const own = isLinked ? undefined : `Event ${id} was modified after it was recorded`;
  return {
    state: chainState(through >= id, isBroken),
    hash: hash.toString('hex'),
    previousHash: previousHash.toString('hex'),
    isLinked,
    firstId,
    verifiedThrough: shownId(through, id, actor),
    verifiedAt: at?.toISOString() ?? null,
    fault: isBroken ? (own ?? fault?.message ?? null) : null,
  };
}

export const oneEventUseCase = defineUseCase({
  contract,
  routes: (services) => {
    const { searchDb } = services;
    const watch = createChainWatch(services);

    return {
      getEventLogState: async () => {
        const { through, at, fault } = await watch.state();
        const { anchor, head } = await readEnds(searchDb);
        return {
          firstId: anchor + 1,
          lastId: head,
          // Ids have no gaps: the chain would be broken.
          events: head - anchor,
          sizeBytes: await readLogSize(searchDb),
          chain: {
            state: chainState(through >= head, fault !== undefined),
            verifiedThrough: through,
            verifiedAt: at?.toISOString() ?? null,
            fault: fault?.message ?? null,
          },
        };
      },

      getReverts: async ({ query }, { actor }) => {
        const ids = query.id.map(Number);
        return { reverts: describeReverts(ids, await listReverts(searchDb, ids, actor.sees)) };
      },

      getEvent: async ({ params }, { actor, reply }) => {
        const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0;
        const found = await findEvent(searchDb, id, actor.sees, fieldVisibilityFor(actor));
        const link = found && (await readLink(searchDb, id, found.previousHash));
        if (!found || !link) throw notFound('event', params.id);
        const chain = describeChain(link, await watch.state(), actor);
        const { json, sameRequest } = found;
        return sendReadyJson(
          reply,
          `{"event":${json},"sameRequest":${JSON.stringify(sameRequest)},"chain":${JSON.stringify(chain)}}`,
        );
      },
    };
  },
});
