import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendReadyJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { csv, exportEvents, ndjson } from '../export/export.ts';
import { checks as facetChecks } from '../facets/checks.ts';
import { facetContract, maxValues } from '../facets/contract.ts';
import { createFacets } from '../facets/facets.ts';
import { listCreators } from '../queries.ts';
import { createEventStream } from '../tail/stream.ts';
import { fieldVisibilityFor, isAdministrator } from '../visibility.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
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

export const eventUseCase = defineUseCase({
  contract: { ...contract, ...facetContract },
  checks: { ...checks, ...facetChecks },
  routes: (services) => {
    const { searchDb, readSnapshot } = services;
    const search = createSearch(searchDb, readSnapshot);
    const follow = createEventStream(services);

    const facets = createFacets(searchDb, search);

    return {
      searchEvents: async ({ query, parsed }, { actor, request, reply }) => {
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
      },
      countEventFacets: ({ parsed: { filter, paging } }, { actor }) =>
        facets(limitToVisible(filter, actor.sees), Math.min(paging.limit, maxValues)),

      listEvents: async ({ query }, { actor, reply }) => {
        const requested = query.project === undefined ? {} : { projects: [query.project] };
        const filter = limitToVisible(requested, actor.sees);
        const page = await search.page(filter, newestFirst(100), fieldVisibilityFor(actor));
        return sendPage(reply, page, { version: 1, totalEvents: page.total });
      },

      searchEventsByBody: async ({ parsed: { filter, paging } }, { actor, reply }) => {
        const limited = { ...paging, limit: Math.min(paging.limit, maxLimit) };
        const page = await search.page(
          limitToVisible(filter, actor.sees),
          limited,
          fieldVisibilityFor(actor),
        );
        return sendPage(reply, page, { version: 1, totalEvents: page.total });
      },

      listFeatureEvents: async ({ params }, { actor, reply }) => {
        const toggleName = params.featureName;
        const filter = limitToVisible({ features: [toggleName] }, actor.sees);
        const page = await search.page(filter, newestFirst(maxLimit), fieldVisibilityFor(actor));
        return sendPage(reply, page, { version: 1, toggleName, totalEvents: page.total });
      },

      listEventCreators: async (_input, { actor }) => [
        ...(await listCreators(searchDb, actor.sees)),
      ],
    };
  },
});

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
