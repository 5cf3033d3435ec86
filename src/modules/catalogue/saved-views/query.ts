import type { Fault } from '../../../platform/errors.ts';
import { type SavedView, viewParameters } from './contract.ts';

const parameters: Readonly<Record<SavedView['page'], readonly string[]>> = viewParameters;

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

/** `project:web-shop,"my project"` in the query of an event log. No space is needed after a quote. */
const inLog = /(?:^|[\s"])-?project:((?:"(?:\\.|[^"\\])*"?|[^\s",]+|,)+)/gi;
const valueInLog = /"((?:\\.|[^"\\])*)"?|[^\s",]+/g;

/** The projects that a query names. Those of an event log may be patterns. */
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

/** Each pattern is compared with every visible project. */
const maxPatterns = 10;

/** Whether someone who sees these projects may know the names. A pattern such as `web-*` must match one of them. */
export function areKnown(names: readonly string[], visible: ReadonlySet<string>): boolean {
  const unknown = names.filter((name) => !visible.has(name));
  if (unknown.length > maxPatterns) return false;
  return unknown.every(
    (name) => name.includes('*') && [...visible].some((project) => matches(name, project)),
  );
}

/** In upper or lower case. A regular expression could take very long. */
function matches(pattern: string, project: string): boolean {
  const [first = '', ...others] = pattern.toLowerCase().split('*');
  const last = others.pop() ?? '';
  const name = project.toLowerCase();
  if (!name.startsWith(first)) return false;
  let end = first.length;
  for (const part of others) {
    const found = name.indexOf(part, end);
    if (found < 0) return false;
    end = found + part.length;
  }
  return name.endsWith(last) && end + last.length <= name.length;
}
