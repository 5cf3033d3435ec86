import type { Request } from '../../api.ts';
import { freeTextOf, type Parsed, type Problem, type Qualifier, type Value } from './grammar.ts';
import { type Moment, readMoment } from './moment.ts';

/** The parameters of `GET /api/admin/search/events`. */
export type EventParameters = NonNullable<Request<'GET /api/admin/search/events'>['query']>;

export interface Creator {
  readonly id: number;
  readonly name: string;
}

/** The values that a query can refer to. */
export interface Vocabulary {
  readonly types: readonly string[];
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  readonly creators: readonly Creator[];
  /** The id of the signed-in user, for `actor:me`. */
  readonly me: number;
  readonly now: Date;
}

export interface Translation {
  readonly parameters: EventParameters;
  readonly problems: readonly Problem[];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const isPattern = (text: string) => text.includes('*');

const matching = (pattern: string, known: readonly string[]): string[] => {
  const expression = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 'i');
  return known.filter((each) => expression.test(each));
};

/** The most similar word, for "Did you mean". */
function similar(text: string, known: readonly string[]): string | undefined {
  const parts = text.toLowerCase().split('-');
  const scored = known.map((each) => ({
    each,
    score: parts.filter((part) => part !== '' && each.includes(part)).length,
  }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { each: '', score: 0 });
  return best.score > 0 ? best.each : undefined;
}

/** The values that a text matches, or why it matches none. */
type Meaning = { readonly values: readonly string[] } | { readonly problem: string };

function typeMeaning(text: string, { types }: Vocabulary): Meaning {
  if (isPattern(text)) {
    const values = matching(text, types);
    return values.length > 0 ? { values } : { problem: `No event type matches “${text}”` };
  }
  if (types.includes(text)) return { values: [text] };
  const near = similar(text, types);
  return {
    problem: `Unknown event type “${text}”.${near ? ` Did you mean ${near}?` : ''} Use * as a wildcard, e.g. feature-*`,
  };
}

/** A name, the start of one, or "me". Ids also find events that were recorded under an earlier name. */
function actorMeaning(text: string, { creators, me }: Vocabulary): Meaning {
  if (text === 'me') return { values: [String(me)] };
  if (/^-?\d+$/.test(text)) return { values: [text] };
  const lower = text.toLowerCase();
  const exact = creators.filter(({ name }) => name.toLowerCase() === lower);
  const names = isPattern(text)
    ? creators.filter(({ name }) => matching(text, [name]).length > 0)
    : creators.filter(({ name }) => name.toLowerCase().startsWith(lower));
  const found = exact.length > 0 ? exact : names;
  return found.length > 0
    ? { values: [...new Set(found.map(({ id }) => String(id)))] }
    : { problem: `No actor matches “${text}”` };
}

/** An unknown name may have been deleted, so it is searched for as it is. */
const namedMeaning =
  (known: (vocabulary: Vocabulary) => readonly string[], what: string) =>
  (text: string, vocabulary: Vocabulary): Meaning => {
    if (!isPattern(text)) return { values: [text] };
    const values = matching(text, known(vocabulary));
    return values.length > 0 ? { values } : { problem: `No ${what} matches “${text}”` };
  };

const featureMeaning = (text: string): Meaning =>
  isPattern(text)
    ? { problem: "feature: doesn't support wildcards. Enter the full name" }
    : { values: [text] };

const idMeaning = (text: string): Meaning =>
  /^#?\d+$/.test(text)
    ? { values: [text.replace('#', '')] }
    : { problem: 'Event IDs are numbers, e.g. id:4218' };

type ColumnName = 'type' | 'project' | 'feature' | 'env' | 'actor' | 'id';

const columns: Readonly<
  Record<
    ColumnName,
    {
      readonly parameter: 'type' | 'project' | 'feature' | 'environment' | 'createdBy' | 'id';
      readonly meaning: (text: string, vocabulary: Vocabulary) => Meaning;
    }
  >
> = {
  type: { parameter: 'type', meaning: typeMeaning },
  project: { parameter: 'project', meaning: namedMeaning(({ projects }) => projects, 'project') },
  feature: { parameter: 'feature', meaning: featureMeaning },
  env: {
    parameter: 'environment',
    meaning: namedMeaning(({ environments }) => environments, 'environment'),
  },
  actor: { parameter: 'createdBy', meaning: actorMeaning },
  id: { parameter: 'id', meaning: idMeaning },
};

const placeOf = ({ start, end }: Value | Qualifier) => ({ start, end });

/** The parameters for one column. Values that are both included and excluded are removed. */
function columnParameters(
  tokens: readonly Qualifier[],
  name: ColumnName,
  vocabulary: Vocabulary,
): Translation {
  const { parameter, meaning } = columns[name];
  const problems: Problem[] = [];
  const mine = tokens.filter((token) => token.name === name);
  const valuesOf = (excluded: boolean) =>
    mine
      .filter((token) => token.excluded === excluded)
      .flatMap(({ values }) => values)
      .flatMap((value) => {
        const found = meaning(value.text, vocabulary);
        if ('values' in found) return found.values;
        problems.push({ ...placeOf(value), message: found.problem });
        return [];
      });
  const excluded = [...new Set(valuesOf(true))];
  const wanted = [...new Set(valuesOf(false))].filter((value) => !excluded.includes(value));
  const isWanted = mine.some((token) => !token.excluded);
  const [first = mine[0]] = mine;
  const list = isWanted ? wanted : excluded;
  if (first && list.length > 1 && list.some((value) => value.includes(','))) {
    problems.push({
      ...placeOf(first),
      message: "A name that contains a comma can't be combined with other values",
    });
  }
  if (name === 'id' && mine.some((token) => token.excluded) && first) {
    problems.push({ ...placeOf(first), message: "id: can't be excluded" });
  }
  if (mine.length === 0 || problems.length > 0) return { parameters: {}, problems };
  const operator = list.length === 1 ? 'IS' : 'IS_ANY_OF';
  const excluding = `not${parameter[0]?.toUpperCase()}${parameter.slice(1)}`;
  return {
    parameters: { [isWanted ? parameter : excluding]: `${operator}:${list.join(',')}` },
    problems,
  };
}

/** The server excludes the given instant, so `createdAfter` is a millisecond earlier. */
function timeParameters(tokens: readonly Qualifier[], { now }: Vocabulary): Translation {
  const problems: Problem[] = [];
  let since: Date | undefined;
  let until: Date | undefined;
  const notBefore = (at: Date) => {
    if (since === undefined || at > since) since = at;
  };
  const notAfter = (at: Date) => {
    if (until === undefined || at < until) until = at;
  };
  const apply: Readonly<Record<string, (moment: Moment) => void>> = {
    on: ({ from, to }) => {
      notBefore(from);
      notAfter(to);
    },
    after: ({ from }) => notBefore(from),
    before: ({ from }) => notAfter(from),
  };
  for (const token of tokens) {
    const use = apply[token.name];
    if (!use) continue;
    if (token.excluded) {
      problems.push({ ...placeOf(token), message: `${token.name}: can't be excluded` });
      continue;
    }
    for (const value of token.values) {
      const moment = readMoment(value.text, now);
      if (moment && !(token.name === 'on' && moment.from === moment.to)) use(moment);
      else {
        problems.push({
          ...placeOf(value),
          message:
            token.name === 'on'
              ? `“${value.text}” isn't a date. Try 2026-11-01, tuesday, yesterday, or last-week`
              : `“${value.text}” isn't a date or time. Try 2026-11-01, tuesday, 7d, 24h, or yesterday`,
        });
      }
    }
  }
  if (since !== undefined && until !== undefined && since >= until) {
    const token = tokens.findLast(({ name }) => name in apply);
    if (token)
      problems.push({ ...placeOf(token), message: 'The time range ends before it starts' });
  }
  return {
    problems,
    parameters: {
      ...(since && { createdAfter: new Date(since.getTime() - 1).toISOString() }),
      ...(until && { createdBefore: until.toISOString() }),
    },
  };
}

/** The parameters of a query. A query with problems is not sent. */
export function translate(parsed: Parsed, vocabulary: Vocabulary): Translation {
  const tokens = parsed.tokens.filter((token) => token.kind === 'qualifier');
  const parts = [
    ...(Object.keys(columns) as ColumnName[]).map((name) =>
      columnParameters(tokens, name, vocabulary),
    ),
    timeParameters(tokens, vocabulary),
  ];
  const text = freeTextOf(parsed.tokens);
  return {
    parameters: Object.assign(
      {},
      ...parts.map(({ parameters }) => parameters),
      text === '' ? {} : { query: text, queryIn: 'data,preData,tags' },
    ),
    problems: [...parsed.problems, ...parts.flatMap(({ problems }) => problems)].sort(
      (a, b) => a.start - b.start,
    ),
  };
}
