import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/module.ts';
import { endpoints } from './checks.ts';
import { csv, exportEvents, ndjson } from './export/export.ts';
import { listCreators } from './queries.ts';
import { isAdministrator, sendPage, shownTo } from './search/answer.ts';
import { maxLimit, type Paging, visibleTo } from './search/filter.ts';
import { createSearch } from './search/search.ts';
import { createFollow } from './tail/follow.ts';

const eventStream = 'text/event-stream';
const offered = ['application/json', '*/*', eventStream, ndjson.contentType, csv.contentType];

/** The first of the accepted types that there is; what we do not know gets JSON. */
const wantedType = ({ headers: { accept = '' } }: FastifyRequest): string | undefined =>
  accept
    .toLowerCase()
    .split(',')
    .map((type) => type.split(';', 1)[0]?.trim() ?? '')
    .map((type) => offered.find((known) => known.split(';', 1)[0] === type))
    .find((type) => type !== undefined);

/** The reference's older lists end here too. */
const newest = (limit: number): Paging => ({ order: 'desc', limit, offset: 0, after: undefined });

export function eventRoutes(app: FastifyInstance, services: Services): void {
  const { searchDb, readSnapshot } = services;
  const search = createSearch(searchDb, readSnapshot);
  const follow = createFollow(services);

  route(app, endpoints.searchEvents, async ({ query, parsed }, { actor, request, reply }) => {
    const { filter: asked, paging } = parsed;
    const filter = visibleTo(asked, actor.sees);
    const type = wantedType(request);
    if (type === eventStream) return follow({ actor, request, reply }, asked, paging);
    const format = [ndjson, csv].find(({ contentType }) => contentType === type);
    if (format) {
      const limit = query.limit === undefined ? Number.MAX_SAFE_INTEGER : paging.limit;
      const shown = { ...shownTo(actor), proof: isAdministrator(actor) && format === ndjson };
      return stream(request, reply, format.contentType, () =>
        exportEvents(search, filter, { ...paging, limit }, shown, format),
      );
    }
    const limited = { ...paging, limit: Math.min(paging.limit, maxLimit) };
    const page = await search.page(filter, limited, shownTo(actor));
    return sendPage(reply, page, { total: page.total, nextCursor: page.nextCursor });
  });

  route(app, endpoints.listEvents, async ({ query }, { actor, reply }) => {
    const asked = query.project === undefined ? {} : { projects: [query.project] };
    const filter = visibleTo(asked, actor.sees);
    const page = await search.page(filter, newest(100), shownTo(actor));
    return sendPage(reply, page, { version: 1, totalEvents: page.total });
  });

  route(
    app,
    endpoints.searchEventsByBody,
    async ({ parsed: { filter, paging } }, { actor, reply }) => {
      const limited = { ...paging, limit: Math.min(paging.limit, maxLimit) };
      const page = await search.page(visibleTo(filter, actor.sees), limited, shownTo(actor));
      return sendPage(reply, page, { version: 1, totalEvents: page.total });
    },
  );

  route(app, endpoints.listFeatureEvents, async ({ params }, { actor, reply }) => {
    const toggleName = params.featureName;
    const filter = visibleTo({ features: [toggleName] }, actor.sees);
    const page = await search.page(filter, newest(maxLimit), shownTo(actor));
    return sendPage(reply, page, { version: 1, toggleName, totalEvents: page.total });
  });

  route(app, endpoints.listEventCreators, async (_input, { actor }) => [
    ...(await listCreators(searchDb, actor.sees)),
  ]);
}

/** An answer without end must not be buffered by a proxy; HEAD asks for none of it. */
function stream(
  { method }: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  open: () => NodeJS.ReadableStream,
): FastifyReply {
  reply
    .header('content-type', contentType)
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no');
  return method === 'HEAD' ? reply.send('') : reply.send(open());
}
