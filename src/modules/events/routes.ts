import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badData } from '../../platform/errors.ts';
import { type RequestContext, route } from '../../platform/http/endpoint.ts';
import type { Services } from '../../platform/module.ts';
import { isAdministrator, sendPage, shownTo } from './answer.ts';
import * as contract from './contract.ts';
import { csv, exportEvents, type Format, ndjson } from './export.ts';
import { type Filter, maxLimit, type Paging, parseSearch, visibleTo } from './filter.ts';
import { listCreators } from './queries.ts';
import { readLog } from './search/log.ts';
import { createSearch } from './search/search.ts';
import { tailEvents } from './tail.ts';

const accepts = (request: FastifyRequest, type: string) =>
  request.headers.accept?.toLowerCase().includes(type) === true;

const formatOf = (request: FastifyRequest): Format | undefined =>
  [ndjson, csv].find(({ contentType }) => accepts(request, contentType.split(';')[0] as string));

/** The reference's older lists end here too. */
const newest = (limit: number): Paging => ({ order: 'desc', limit, offset: 0, after: undefined });

export function eventRoutes(app: FastifyInstance, services: Services): void {
  const { db, searchDb, readSnapshot } = services;
  const search = createSearch(searchDb, readSnapshot);

  async function tail(filter: Filter, paging: Paging, { actor, request, reply }: RequestContext) {
    const resumed = request.headers['last-event-id'];
    if (resumed !== undefined && !/^\d{1,15}$/.test(String(resumed))) {
      throw badData([
        { path: '/headers/last-event-id', message: 'Last-Event-ID is not an event id' },
      ]);
    }
    const after = resumed === undefined ? paging.after : Number(resumed);
    const start = after ?? (await readLog(db)).head;
    return stream(reply, 'text/event-stream; charset=utf-8', () =>
      tailEvents(services, filter, shownTo(actor), start),
    );
  }

  route(app, contract.searchEvents, async ({ query }, context) => {
    const { actor, request, reply } = context;
    const { filter: asked, paging } = parseSearch(query);
    const filter = visibleTo(asked, actor.sees);
    if (accepts(request, 'text/event-stream')) return tail(filter, paging, context);
    const format = formatOf(request);
    if (format) {
      const everything = query.limit === undefined ? Number.MAX_SAFE_INTEGER : paging.limit;
      const shown = { ...shownTo(actor), proof: isAdministrator(actor) && format === ndjson };
      return stream(reply, format.contentType, () =>
        exportEvents(search, filter, { ...paging, limit: everything }, shown, format),
      );
    }
    const limited = { ...paging, limit: Math.min(paging.limit, maxLimit) };
    const page = await search.page(filter, limited, shownTo(actor));
    return sendPage(reply, page, { total: page.total, nextCursor: page.nextCursor });
  });

  route(app, contract.listEvents, async ({ query }, { actor, reply }) => {
    const filter = visibleTo(query.project ? { projects: [query.project] } : {}, actor.sees);
    const page = await search.page(filter, newest(100), shownTo(actor));
    return sendPage(reply, page, { version: 1, totalEvents: page.total });
  });

  route(app, contract.listFeatureEvents, async ({ params }, { actor, reply }) => {
    const toggleName = params.featureName;
    const filter = visibleTo({ features: [toggleName] }, actor.sees);
    const page = await search.page(filter, newest(maxLimit), shownTo(actor));
    return sendPage(reply, page, { version: 1, toggleName, totalEvents: page.total });
  });

  route(app, contract.listEventCreators, async (_input, { actor }) => [
    ...(await listCreators(searchDb, actor.sees)),
  ]);
}

/** An answer without end must not be buffered, by us or by a proxy. */
const stream = (
  reply: FastifyReply,
  contentType: string,
  open: () => NodeJS.ReadableStream,
): FastifyReply =>
  reply
    .header('content-type', contentType)
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(open());
