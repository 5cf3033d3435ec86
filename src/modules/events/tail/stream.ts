import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { badData } from '../../../platform/errors.ts';
import type { RequestContext } from '../../../platform/http/route.ts';
import { addHeaders } from '../../../platform/http/security-headers.ts';
import type { Services } from '../../../platform/module.ts';
import { type Filter, limitToVisible, type Paging } from '../search/filter.ts';
import { fieldVisibilityFor } from '../visibility.ts';
import { createAdmission, defaultLimits, type TailLimits } from './admission.ts';
import { findLogEnd, type TailSubject } from './batch.ts';
import { createTails } from './tails.ts';

/** The id after which the client wants to continue, if it has received an event before. */
function findResumeId({ headers }: FastifyRequest, { after }: Paging): number | undefined {
  const seen = headers['last-event-id'];
  if (seen === undefined) return after;
  if (/^\d{1,15}$/.test(String(seen))) return Number(seen);
  throw badData([{ path: '/headers/last-event-id', message: 'Last-Event-ID is not an event ID' }]);
}

async function findStart(db: Db, seen: number | undefined, visible: Filter | undefined) {
  if (seen !== undefined) return { after: seen, lastVisible: seen };
  const { head, lastVisible } = await findLogEnd(db, visible);
  return { after: head, lastVisible };
}

const subjectOf = (requested: Filter, actor: Actor, hints: boolean): TailSubject => ({
  filter: limitToVisible(requested, actor.sees),
  visible: actor.sees === 'all' ? undefined : limitToVisible({}, actor.sees),
  visibility: fieldVisibilityFor(actor),
  hints: hints && actor.sees !== 'all',
});

/** Proxies must not buffer an endless response. */
const withHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no');

/** Serves requests for a live tail of the log. */
export function createEventStream(services: Services, limits: TailLimits = defaultLimits) {
  const tails = createTails(services);
  const admission = createAdmission(limits);

  return async (
    { actor, request, reply }: RequestContext,
    requested: Filter,
    { hints, ...paging }: Paging & { readonly hints: boolean },
  ): Promise<FastifyReply> => {
    const seen = findResumeId(request, paging);
    const { raw } = reply;
    // The client has left. There will be no further close event.
    if (raw.destroyed) return reply.hijack();
    // HEAD has no body.
    if (request.method === 'HEAD') return withHeaders(reply).send('');
    // Releases the tail when its connection closes, even before its start is found.
    raw.once('close', admission.admit(actor.id));
    const subject = subjectOf(requested, actor, hints);
    const accessVersion = tails.accessVersion();
    const start = await findStart(services.searchDb, seen, subject.visible);
    // Bypasses Fastify, which logs a client that leaves as a failure.
    withHeaders(reply).hijack();
    addHeaders(request, reply);
    if (!raw.destroyed) raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    tails.open({ raw, actor, subject, ...start, accessVersion });
    return reply;
  };
}
