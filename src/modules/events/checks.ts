import type { Static } from 'typebox';
import { checked } from '../../platform/http/checked.ts';
import { contract } from './contract.ts';
import { type Parsed, parseSearch, type SearchQuery } from './search/filter.ts';
import type { SearchBodySchema } from './search/search-body-schema.ts';

/** The older search in the words of the newer one. */
function queryOf(body: Static<typeof SearchBodySchema>): SearchQuery {
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

/** The same faults, where the older search has its parameters. */
const inBody = ({ faults, ...read }: Parsed): Parsed => ({
  ...read,
  faults: faults.map(({ path, message }) => ({
    path: path?.replace('/query/', '/body/') ?? '/body',
    message: message.replace('/query/', '/body/'),
  })),
});

export const endpoints = checked(contract, {
  searchEvents: ({ query }) => parseSearch(query),
  searchEventsByBody: ({ body }) => inBody(parseSearch(queryOf(body))),
});
