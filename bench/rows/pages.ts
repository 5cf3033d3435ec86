import type pg from 'pg';
import { type Bench, countEvents, type Experiment } from '../experiment.ts';
import type { Figure } from '../figure.ts';
import {
  type Parameters,
  requestsPerSecond,
  type Service,
  searchFor,
  statementsPerSecond,
} from '../load.ts';
import { authors, featureNames, projects } from '../vocabulary.ts';

const leastPerSecond = 400;

interface Filter {
  readonly name: string;
  readonly parameters: Parameters;
  /** The same filter in SQL. */
  readonly where: string;
  readonly values: readonly unknown[];
  /** Set if the reference lacks the filter. */
  readonly ownOnly?: boolean;
}

const author = authors[7] ?? { id: 0, name: '' };
const project = projects[3] ?? '';
const threeProjects = projects.slice(4, 7);
const feature = featureNames[40] ?? '';

const filters: readonly Filter[] = [
  { name: 'newest 50', parameters: {}, where: 'true', values: [] },
  {
    name: 'project',
    parameters: { project: `IS:${project}` },
    where: 'project = $1',
    values: [project],
  },
  {
    name: '3 projects',
    parameters: { project: `IS_ANY_OF:${threeProjects.join(',')}` },
    where: 'project = any($1)',
    values: [threeProjects],
  },
  {
    name: 'feature',
    parameters: { feature: `IS:${feature}` },
    where: 'feature_name = $1',
    values: [feature],
  },
  {
    name: 'type',
    parameters: { type: 'IS:feature-tagged' },
    where: 'type = $1',
    values: ['feature-tagged'],
  },
  {
    name: 'creator by id',
    parameters: { createdBy: `IS:${author.id}` },
    where: 'created_by_user_id = $1',
    values: [author.id],
  },
  {
    name: 'creator by name',
    parameters: { createdBy: `IS:${author.name}` },
    where: 'created_by = $1',
    values: [author.name],
    ownOnly: true,
  },
  {
    name: 'environment',
    parameters: { environment: 'IS:staging' },
    where: 'environment = $1',
    values: ['staging'],
    ownOnly: true,
  },
];

/** A week of the log, counted in days before its last one. */
async function weekFilter(pool: pg.Pool, name: string, daysBack: number): Promise<Filter> {
  const { rows } = await pool.query<{ first: string; last: string; from: string; to: string }>(
    `select min(first_id) as first, max(last_id) as last, min(day)::text as from, max(day)::text as to
     from event_days, (select max(day) as newest from event_days) as d
     where day between newest - $1::int and newest - $1::int + 6`,
    [daysBack],
  );
  const [week] = rows;
  if (!week) throw new Error('the log has no days');
  return {
    name,
    parameters: { from: `IS:${week.from}`, to: `IS:${week.to}` },
    where: 'id between $1 and $2',
    values: [week.first, week.last],
  };
}

const columns = `id, type, created_by, created_by_user_id, created_at, project, environment,
  feature_name, data::text, pre_data::text, tags::text, label, summary, ip`;

const rawPage = ({ pool, seconds }: Bench, { name, where, values }: Filter) =>
  statementsPerSecond(
    pool,
    {
      name: `page ${name}`,
      text: `select ${columns} from events where ${where} order by id desc limit 50`,
      values: [...values],
    },
    seconds,
  );

async function measure(bench: Bench, service: Service, filter: Filter, exact: boolean) {
  const { seconds } = bench;
  const expected = exact ? await countEvents(bench, filter.where, filter.values) : undefined;
  const firstMs = await searchFor(service, filter.parameters, expected);
  const figure = await requestsPerSecond(service, filter.parameters, seconds);
  return { ...figure, note: `first ${Math.round(firstMs)} ms` } satisfies Figure;
}

/** The newest page, of all events and of each filter alone, with its total cached. */
export const pages: Experiment = {
  name: 'pages',
  run: async (bench) => {
    const weeks = [
      await weekFilter(bench.pool, 'a recent week', 13),
      await weekFilter(bench.pool, 'an old week', 150),
    ];
    const results = [];
    for (const filter of [...filters, ...weeks]) {
      const ours = await measure(bench, bench.burgee, filter, true);
      results.push({
        name: `page: ${filter.name}`,
        target: `≥ ${leastPerSecond}/s`,
        met: (ours.perSecond ?? 0) >= leastPerSecond,
        ours,
        ...(bench.reader ? { reader: bench.reader.name } : { raw: await rawPage(bench, filter) }),
        ...(bench.reference &&
          !filter.ownOnly && { reference: await measure(bench, bench.reference, filter, false) }),
      });
    }
    return results;
  },
};
