import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendReadyJson } from '../../../platform/http/long-json.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { csv, exportEvents, ndjson } from '../export/export.ts';
import { facetEndpoints } from '../facets/checks.ts';
import { maxValues } from '../facets/contract.ts';
import { createFacets } from '../facets/facets.ts';
import { listCreators } from '../queries.ts';
import { createEventStream } from '../tail/stream.ts';
import { fieldVisibilityFor, isAdministrator } from '../visibility.ts';
import { endpoints } from './checks.ts';
import { limitToVisible, maxLimit, type Paging } from './filter.ts';
import { createSearch, type Page } from './search.ts';

const eventStream = 'text/event-stream';
const offeredTypes = ['application/json', '*/*', eventStream, ndjson.contentType, csv.contentType];

/** The first accepted type that we offer. Any other gets JSON. */
const acceptedType = ({ headers: { accept = '' } }: FastifyRequest): string | undefined =>
  accept
    .toLowerCase()
    .split(',')
    .map((type) => type.split(';', 1)[0]?.trim() ?? '')
    .map((type) => offeredTypes.find((offeredType) => offeredType.split(';', 1)[0] === type))
    .find((type) => type !== undefined);

/** The older lists of the reference have the same limits. */
const newestFirst = (limit: number): Paging => ({
  order: 'desc',
  limit,
  offset: 0,
  after: undefined,
});

export function eventRoutes(app: FastifyInstance, services: Services): void {
  const { searchDb, readSnapshot } = services;
  const search = createSearch(searchDb, readSnapshot);
  const follow = createEventStream(services);

  route(app, endpoints.searchEvents, async ({ query, parsed }, { actor, request, reply }) => {
    const { filter: requested, paging } = parsed;
    const filter = limitToVisible(requested, actor.sees);
    const type = acceptedType(request);
    if (type === eventStream) {
      const hints = query.hints === 'true';
      return follow({ actor, request, reply }, requested, { ...paging, hints });
    }
    const format = [ndjson, csv].find(({ contentType }) => contentType === type);
    if (format) {
      const limit = query.limit === undefined ? Number.MAX_SAFE_INTEGER : paging.limit;
      const visibility = {
        ...fieldVisibilityFor(actor),
        proof: isAdministrator(actor) && format === ndjson,
      };
      return sendStream(request, reply, format.contentType, () =>
        exportEvents(search, filter, { ...paging, limit }, visibility, format),
      );
    }
    const limited = { ...paging, limit: Math.min(paging.limit, maxLimit) };
    const page = await search.page(filter, limited, fieldVisibilityFor(actor));
    return sendPage(reply, page, { total: page.total, nextCursor: page.nextCursor });
  });

  const facets = createFacets(searchDb, search);
  route(app, facetEndpoints.countEventFacets, ({ parsed: { filter, paging } }, { actor }) =>
    facets(limitToVisible(filter, actor.sees), Math.min(paging.limit, maxValues)),
  );

  route(app, endpoints.listEvents, async ({ query }, { actor, reply }) => {
    const requested = query.project === undefined ? {} : { projects: [query.project] };
    const filter = limitToVisible(requested, actor.sees);
    const page = await search.page(filter, newestFirst(100), fieldVisibilityFor(actor));
    return sendPage(reply, page, { version: 1, totalEvents: page.total });
  });

  route(
    app,
    endpoints.searchEventsByBody,
    async ({ parsed: { filter, paging } }, { actor, reply }) => {
      const limited = { ...paging, limit: Math.min(paging.limit, maxLimit) };
      const page = await search.page(
        limitToVisible(filter, actor.sees),
        limited,
        fieldVisibilityFor(actor),
      );
      return sendPage(reply, page, { version: 1, totalEvents: page.total });
    },
  );

  route(app, endpoints.listFeatureEvents, async ({ params }, { actor, reply }) => {
    const toggleName = params.featureName;
    const filter = limitToVisible({ features: [toggleName] }, actor.sees);
    const page = await search.page(filter, newestFirst(maxLimit), fieldVisibilityFor(actor));
    return sendPage(reply, page, { version: 1, toggleName, totalEvents: page.total });
  });

  route(app, endpoints.listEventCreators, async (_input, { actor }) => [
    ...(await listCreators(searchDb, actor.sees)),
  ]);
}

/** Proxies must not buffer an endless response. HEAD has no body. */
function sendStream(
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

/** Sends the page as it came from the database, because it is JSON already. */
function sendPage(
  reply: FastifyReply,
  page: Page,
  fields: Readonly<Record<string, unknown>>,
): FastifyReply | Promise<FastifyReply> {
  const others = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return sendReadyJson(reply, `{"events":[${page.json}]${others.join('')}}`);
}
