import { maxInteger } from '../../../../platform/contract/schema.ts';
import type { Fault } from '../../../../platform/errors.ts';
import { type Stage, stages } from '../lifecycle/contract.ts';
import type { choiceOperators, inclusionOperators } from './contract.ts';

/** Each word is searched in every description. */
const maxWords = 20;

/** Words that a feature must all contain. */
type Words = readonly string[];

/** How a feature's values must match. `all` of no values matches nothing: a filter is never dropped. */
type Wanted = 'any' | 'none' | 'all' | 'notAll';

export interface Condition {
  readonly wanted: Wanted;
  readonly values: readonly string[];
}

interface Operator {
  readonly wanted: Wanted;
  readonly several: boolean;
}

const choices: Readonly<Record<(typeof choiceOperators)[number], Operator>> = {
  IS: { wanted: 'any', several: false },
  IS_NOT: { wanted: 'none', several: false },
  IS_ANY_OF: { wanted: 'any', several: true },
  IS_NONE_OF: { wanted: 'none', several: true },
};

const inclusions: Readonly<Record<(typeof inclusionOperators)[number], Operator>> = {
  INCLUDE: { wanted: 'any', several: false },
  DO_NOT_INCLUDE: { wanted: 'none', several: false },
  INCLUDE_ANY_OF: { wanted: 'any', several: true },
  INCLUDE_ALL_OF: { wanted: 'all', several: true },
  EXCLUDE_IF_ANY_OF: { wanted: 'none', several: true },
  EXCLUDE_ALL: { wanted: 'notAll', several: true },
  ...choices,
};

const states = ['active', 'stale', 'potentially-stale'] as const;
const sortable = [
  'name',
  'createdAt',
  'type',
  'project',
  'stale',
  'lastSeenAt',
  'owner',
  'expiresAt',
] as const;

const ownerPattern = /^(me|none|(user|group):\d{1,10})$/;

export interface Status {
  readonly environment: string;
  readonly enabled: boolean;
}

/** Before a UTC day, or from its first instant on. */
interface DayLimit {
  readonly before: boolean;
  /** Whether a missing instant matches, too. */
  readonly orNever: boolean;
  readonly day: Date;
}

export interface FeatureFilter {
  /** Any one of these texts must match. Empty for no filter. */
  readonly texts: readonly Words[];
  readonly archived: boolean;
  readonly project?: Condition | undefined;
  readonly type?: Condition | undefined;
  readonly createdBy?: Condition | undefined;
  readonly owner?: Condition | undefined;
  readonly state?: Condition | undefined;
  readonly lifecycle?: Condition | undefined;
  readonly tag?: Condition | undefined;
  readonly segment?: Condition | undefined;
  readonly status?: readonly Status[] | undefined;
  readonly enabledIn?: Condition | undefined;
  readonly createdAt?: DayLimit | undefined;
  readonly lastSeenAt?: DayLimit | 'never' | undefined;
  readonly favorite?: boolean | undefined;
  readonly expired?: boolean | undefined;
}

export interface FeatureOrder {
  readonly by: (typeof sortable)[number] | { readonly environment: string };
  readonly descending: boolean;
  readonly favoritesFirst: boolean;
}

interface Paging {
  readonly offset: number;
  readonly limit: number;
}

export interface FeatureSearch {
  readonly filter: FeatureFilter;
  readonly order: FeatureOrder;
  readonly paging: Paging;
}

type Parameter =
  | 'query'
  | 'project'
  | 'state'
  | 'type'
  | 'createdBy'
  | 'owner'
  | 'lifecycle'
  | 'tag'
  | 'segment'
  | 'status'
  | 'enabledIn'
  | 'archived'
  | 'createdAt'
  | 'lastSeenAt'
  | 'favorite'
  | 'expired'
  | 'favoritesFirst'
  | 'sortBy'
  | 'sortOrder'
  | 'offset'
  | 'limit';

type TextParameter = Exclude<Parameter, 'status'>;
type SearchQuery = { readonly [Name in TextParameter]?: string } & {
  readonly asOf?: string;
  readonly status?: readonly string[];
};
type Complain = (name: Parameter, problem: string) => void;

/** Filters by what the history doesn't contain. */
const withoutPast = ['lastSeenAt', 'favorite'] as const;

const maxLimit = 1000;
const defaultLimit = 50;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

const shortened = (value: string) => `'${value.slice(0, 60)}'`;

/** Parses the parameters of a search, and finds all their faults. */
export function parseFeatureSearch(
  query: SearchQuery,
): FeatureSearch & { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const complain: Complain = (name, problem) => {
    faults.push({ path: `/query/${name}`, message: `/query/${name} ${problem}` });
  };
  for (const name of query.asOf === undefined ? [] : withoutPast) {
    if (query[name] !== undefined) complain(name, 'has no past: send it without asOf');
  }
  const choice = (name: TextParameter, allowed?: readonly string[]) => {
    const condition = conditionOf(name, query[name], choices, complain);
    for (const value of condition?.values ?? []) {
      if (allowed && !allowed.includes(value)) {
        complain(name, `takes ${allowed.join(', ')}; you sent ${shortened(value)}`);
      }
    }
    return condition;
  };
  const owners = (): Condition | undefined => {
    const condition = choice('owner');
    const unknown = condition?.values.find((value) => !ownerPattern.test(value));
    if (unknown === undefined) return condition;
    complain('owner', `takes me, none, user:id, and group:id; you sent ${shortened(unknown)}`);
    return undefined;
  };
  const inclusion = (name: TextParameter) => conditionOf(name, query[name], inclusions, complain);

  const filter = {
    texts: textsOf(query.query, complain),
    archived: flagOf('archived', query.archived, complain) ?? false,
    project: choice('project'),
    type: choice('type'),
    createdBy: choice('createdBy'),
    owner: owners(),
    state: choice('state', states),
    lifecycle: choice('lifecycle', stages satisfies readonly Stage[]),
    tag: inclusion('tag'),
    segment: inclusion('segment'),
    status: statusOf(query.status, complain),
    enabledIn: inclusion('enabledIn'),
    createdAt: dayLimitOf('createdAt', query.createdAt, complain),
    lastSeenAt:
      query.lastSeenAt === 'IS:never'
        ? ('never' as const)
        : dayLimitOf('lastSeenAt', query.lastSeenAt, complain, true),
    favorite: flagOf('favorite', query.favorite, complain),
    expired: flagOf('expired', query.expired, complain),
  };
  const order = {
    by: sortingOf(query.sortBy),
    descending: query.sortOrder === 'desc',
    favoritesFirst: query.favoritesFirst === 'true',
  };
  return { filter, order, paging: pagingOf(query, complain), faults };
}

/**
 * Splits comma-separated texts into words. Texts without a word are ignored; if there are no others, there is no
 * filter.
 */
function textsOf(query: string | undefined, complain: Complain): Words[] {
  const texts = (query ?? '')
    .split(',')
    .map((text) => [...new Set(text.split(/\s/))].filter((word) => word !== ''))
    .filter((words) => words.length > 0);
  const count = texts.reduce((sum, words) => sum + words.length, 0);
  if (count <= maxWords) return texts;
  complain('query', `takes at most ${maxWords} words; you sent ${count}`);
  return [];
}

/** Parses an operator and its operand after the colon. Only operators for several values split at commas. */
function conditionOf(
  name: Parameter,
  text: string | undefined,
  operators: Readonly<Record<string, Operator>>,
  complain: Complain,
): Condition | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  const word = text.slice(0, Math.max(colon, 0));
  const operator = Object.hasOwn(operators, word) ? operators[word] : undefined;
  if (!operator) {
    const all = Object.keys(operators).join(', ');
    complain(name, `must begin with an operator and a colon; the operators are ${all}`);
    return undefined;
  }
  const value = text.slice(colon + 1);
  const values = operator.several ? value.split(',').map((item) => item.trim()) : [value];
  return {
    wanted: operator.wanted,
    values: [...new Set(values)].filter((item) => item !== '').sort(),
  };
}

function flagOf(
  name: Parameter,
  text: string | undefined,
  complain: Complain,
): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'IS:true' && text !== 'IS:false') {
    complain(name, `takes IS:true or IS:false; you sent ${shortened(text)}`);
  }
  return text !== 'IS:false';
}

function statusOf(items: readonly string[] | undefined, complain: Complain): Status[] | undefined {
  return items?.flatMap((item) => {
    const [environment = '', state = '', ...rest] = item.split(':');
    if (environment !== '' && rest.length === 0 && /^(enabled|disabled)$/.test(state)) {
      return [{ environment, enabled: state === 'enabled' }];
    }
    complain(
      'status',
      `takes environment:enabled or environment:disabled; you sent ${shortened(item)}`,
    );
    return [];
  });
}

function dayLimitOf(
  name: Parameter,
  text: string | undefined,
  complain: Complain,
  mayBeNever = false,
): DayLimit | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  const word = text.slice(0, Math.max(colon, 0));
  const day = text.slice(colon + 1);
  const operators = ['IS_BEFORE', 'IS_ON_OR_AFTER', ...(mayBeNever ? ['IS_BEFORE_OR_NEVER'] : [])];
  if (!operators.includes(word)) {
    complain(name, `must begin with ${operators.map((each) => `${each}:`).join(' or ')}`);
    return undefined;
  }
  const at = dayPattern.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  // A Date would turn 31 February into a day of March, and PostgreSQL has no year 0.
  const real = !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
  if (!real || day.startsWith('0000')) {
    complain(name, `isn't a valid date: ${shortened(day)}`);
    return undefined;
  }
  const orNever = word === 'IS_BEFORE_OR_NEVER';
  return { before: orNever || word === 'IS_BEFORE', orNever, day: new Date(at) };
}

/** Returns the sort order. Clients of other releases may send unknown orders, which mean the default. */
function sortingOf(text: string | undefined): FeatureOrder['by'] {
  if (text === undefined) return 'createdAt';
  const sortKey = sortable.find((name) => name === text);
  if (sortKey) return sortKey;
  const [word, ...rest] = text.split(':');
  const environment = rest.join(':');
  if (word === 'environment' && environment !== '') return { environment };
  return 'createdAt';
}

function pagingOf(query: SearchQuery, complain: Complain): Paging {
  const whole = (name: 'limit' | 'offset', least: number, fallback: number) => {
    const text = query[name];
    if (text === undefined) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least) return value;
    complain(name, `takes a whole number, ${least} or more; you sent ${shortened(text)}`);
    return fallback;
  };
  return {
    limit: Math.min(whole('limit', 1, defaultLimit), maxLimit),
    // There are fewer features than that, so every page after it is empty.
    offset: Math.min(whole('offset', 0, 0), maxInteger),
  };
}
