import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Db } from '../../../platform/db/database.ts';
import { badData } from '../../../platform/errors.ts';
import type { RequestContext } from '../../../platform/http/route.ts';
import { addHeaders } from '../../../platform/http/security-headers.ts';
import type { Services } from '../../../platform/module.ts';
import { shownTo } from '../search/answer.ts';
import { type Filter, type Paging, visibleTo } from '../search/filter.ts';
import { createAdmission, type TailLimits, usualLimits } from './admission.ts';
import { readEnd, type Subject } from './batch.ts';
import { createTails } from './tails.ts';

/** The id behind which the client wants to go on, where it has seen something. */
function seenId({ headers }: FastifyRequest, { after }: Paging): number | undefined {
  const seen = headers['last-event-id'];
  if (seen === undefined) return after;
  if (/^\d{1,15}$/.test(String(seen))) return Number(seen);
  throw badData([{ path: '/headers/last-event-id', message: 'Last-Event-ID is not an event id' }]);
}

async function startOf(db: Db, seen: number | undefined, visible: Filter | undefined) {
  if (seen !== undefined) return { after: seen, lastVisible: seen };
  const { head, lastVisible } = await readEnd(db, visible);
  return { after: head, lastVisible };
}

const subjectOf = (asked: Filter, actor: Actor): Subject => ({
  filter: visibleTo(asked, actor.sees),
  visible: actor.sees === 'all' ? undefined : visibleTo({}, actor.sees),
  shown: shownTo(actor),
});

/** An answer without end must not be buffered by a proxy. */
const withHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no');

/** Answers requests with a live tail of the log. */
export function createFollow(services: Services, limits: TailLimits = usualLimits) {
  const tails = createTails(services);
  const admission = createAdmission(limits);

  return async (
    { actor, request, reply }: RequestContext,
    asked: Filter,
    paging: Paging,
  ): Promise<FastifyReply> => {
    const seen = seenId(request, paging);
    const { raw } = reply;
    // Nobody is there any more, and nothing will say so again.
    if (raw.destroyed) return reply.hijack();
    // HEAD asks for none of it.
    if (request.method === 'HEAD') return withHeaders(reply).send('');
    // With its connection a tail gives its place back, whatever became of it: also while we look where it begins.
    raw.once('close', admission.admit(actor.id));
    const subject = subjectOf(asked, actor);
    const accessAsOf = tails.accessAsOf();
    const start = await startOf(services.searchDb, seen, subject.visible);
    // Past Fastify, for which a client that leaves is a failure.
    withHeaders(reply).hijack();
    addHeaders(request, reply);
    if (!raw.destroyed) raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    tails.open({ raw, actor, subject, ...start, accessAsOf });
    return reply;
  };
}
