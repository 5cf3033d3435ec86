import { Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../platform/contract/schema.ts';
import { FilterParameters } from '../search/contract.ts';

/** Of more hits, only the newest are counted. This many took 0.8 s while both cores were busy; the result is cached until the next event. */
export const maxCounted = 100_000;

export const maxValues = 200;

const count = Type.Integer({ minimum: 1 });
const values = Type.Array(Type.Object({ value: Type.String(), count }));

export const facetContract = {
  countEventFacets: endpoint({
    method: 'GET',
    path: '/api/admin/search/events/facets',
    id: 'countEventFacets',
    tag: 'Events',
    summary: 'Count the events of a search by type, project, environment, and creator',
    description:
      `Accepts the filters of the search and counts the matching events. Of more than ${maxCounted} events, only the newest are counted; ` +
      'then `isComplete` is false, and `since` is the time of the oldest counted event. The most frequent values come first.',
    permission: 'none',
    query: Type.Object({
      ...FilterParameters.properties,
      limit: Type.Optional(
        Type.String({
          description: `Number of values of each kind; default 20, maximum ${maxValues}`,
        }),
      ),
    }),
    response: named(
      'eventFacetsSchema',
      Type.Object({
        counted: Type.Integer({ minimum: 0, description: 'Number of counted events' }),
        isComplete: Type.Boolean({ description: 'Whether all events of the search were counted' }),
        since: nullable({ ...instant, description: 'Null if all were counted' }),
        types: values,
        projects: values,
        environments: values,
        creators: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), count })),
      }),
    ),
  }),
};
