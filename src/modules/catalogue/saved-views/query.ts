import type { Fault } from '../../../platform/errors.ts';
import type { SavedView } from './contract.ts';

/** The search parameters of each page. */
const parameters: Readonly<Record<SavedView['page'], readonly string[]>> = {
  features: [
    'query',
    'project',
    'type',
    'state',
    'lifecycle',
    'tag',
    'segment',
    'status',
    'enabledIn',
    'createdBy',
    'owner',
    'expired',
    'lastSeenAt',
    'favorite',
    'archived',
    'sortBy',
    'sortOrder',
    'columns',
  ],
  events: ['q'],
};

/** The faults of a query: a view has only parameters that its page reads, each of them once. */
export function queryFaults(page: SavedView['page'], query: string): Fault[] {
  const path = '/body/query';
  const names = [...new URLSearchParams(query).keys()];
  const unknown = names.find((name) => !parameters[page].includes(name));
  const twice = names.find((name, nth) => names.indexOf(name) !== nth);
  const fault = (problem: string): Fault[] => [{ path, message: `${path} ${problem}` }];
  if (unknown !== undefined) {
    return fault(`takes ${parameters[page].join(', ')}; you sent '${unknown.slice(0, 60)}'`);
  }
  return twice === undefined ? [] : fault(`contains '${twice}' more than once`);
}

const unescaped = (value: string) => value.replaceAll('%2C', ',').replaceAll('%25', '%');

/** `project:web-shop,"my project"` in the query of an event log. */
const inLog = /(?:^|\s)-?project:((?:"(?:\\.|[^"\\])*"?|[^\s",]+|,)+)/gi;
const valueInLog = /"((?:\\.|[^"\\])*)"?|[^\s",]+/g;

/** The projects that a query names. */
export function projectsIn(page: SavedView['page'], query: string): string[] {
  const search = new URLSearchParams(query);
  if (page === 'features') {
    return (search.get('project') ?? '')
      .split(',')
      .filter((value) => value !== '')
      .map(unescaped);
  }
  return [...(search.get('q') ?? '').matchAll(inLog)].flatMap(([, values = '']) =>
    [...values.matchAll(valueInLog)].map(([whole, quoted]) =>
      quoted === undefined ? whole : quoted.replace(/\\(.)/g, '$1'),
    ),
  );
}
