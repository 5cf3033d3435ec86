import type { Static } from 'typebox';
import type { Checks } from '../../../platform/http/checked.ts';
import type { contract, SearchBodySchema } from './contract.ts';
import { type ParsedSearch, parseSearch, type SearchQuery } from './filter.ts';

/** Translates the body of the older search into the query of the newer one. */
function toSearchQuery(body: Static<typeof SearchBodySchema>): SearchQuery {
  const is = (name: 'type' | 'project' | 'feature') =>
    body[name] ? { [name]: `IS:${body[name]}` } : {};
  return {
    ...is('type'),
    ...is('project'),
    ...is('feature'),
    ...(body.query && { query: body.query, queryIn: 'data,preData,tags' }),
    limit: String(body.limit ?? 100),
    offset: String(body.offset ?? 0),
  };
}

/** Reports the faults under the paths of the body instead of the query. */
const withBodyPaths = ({ faults, ...read }: ParsedSearch): ParsedSearch => ({
  ...read,
  faults: faults.map(({ path, message }) => ({
    path: path?.replace('/query/', '/body/') ?? '/body',
    message: message.replace('/query/', '/body/'),
  })),
});

export const checks = {
  searchEvents: ({ query }) => parseSearch(query),
  searchEventsByBody: ({ body }) => withBodyPaths(parseSearch(toSearchQuery(body))),
} satisfies Checks<typeof contract>;
