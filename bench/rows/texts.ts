import { type Bench, countTexts, type Experiment, type Result } from '../experiment.ts';
import { type Figure, figureOf } from '../figure.ts';
import { type Parameters, type Service, searchFor } from '../load.ts';
import type { Needle } from '../needles.ts';
import { projects } from '../vocabulary.ts';

const againMs = 10;

interface Question {
  readonly parameters: Parameters;
  readonly expected: number;
}

const ask = async (service: Service, questions: readonly Question[], exact: boolean) => {
  const times: number[] = [];
  for (const { parameters, expected } of questions) {
    times.push(await searchFor(service, parameters, exact ? expected : undefined));
  }
  return figureOf(times);
};

/** How many needles of a family are counted in SQL, to know how many events a reader may see. */
const readerSamples = 40;

async function questionsOf(bench: Bench, needles: readonly Needle[]): Promise<Question[]> {
  const questions: Question[] = [];
  for (const { query, hits } of bench.reader ? needles.slice(0, readerSamples) : needles) {
    const expected = bench.reader && hits > 0 ? await countTexts(bench, query) : hits;
    questions.push({ parameters: { query }, expected });
  }
  return questions;
}

/** The reference needs up to 25 s for one response. */
const referenceSamples = 3;

/** Sends each search for the first time, then each again. */
async function firstAndAgain(
  { burgee, reference, reader }: Bench,
  name: string,
  questions: readonly Question[],
  firstMs: number,
  raw?: Figure,
): Promise<Result[]> {
  const first = await ask(burgee, questions, true);
  const again = await ask(burgee, questions, true);
  const few = questions.slice(0, referenceSamples);
  const theirs = reference && {
    first: await ask(reference, few, false),
    again: await ask(reference, few, false),
  };
  return [
    {
      name: `text: ${name}, first`,
      target: `p95 < ${firstMs} ms`,
      met: first.p95Ms < firstMs,
      ours: first,
      ...(reader && { reader: reader.name }),
      ...(raw && { raw }),
      ...(theirs && { reference: theirs.first }),
    },
    {
      name: `text: ${name}, again`,
      target: `p95 < ${againMs} ms`,
      met: again.p95Ms < againMs,
      ours: again,
      ...(reader && { reader: reader.name }),
      ...(theirs && { reference: theirs.again }),
    },
  ];
}

/** Measures plain SQL: all hits by the index, the rows of the newest 50. */
async function rawTexts({ pool }: Bench, needles: readonly Needle[]): Promise<Figure> {
  const client = await pool.connect();
  try {
    const times: number[] = [];
    for (const { query } of needles) {
      const began = performance.now();
      await client.query(
        `with hit as materialized (select id from event_texts where search like $1)
         select id, type, data::text, pre_data::text, summary from events
         where id in (select id from hit order by id desc limit 50) order by id desc`,
        [`%${query}%`],
      );
      times.push(performance.now() - began);
    }
    return figureOf(times);
  } finally {
    client.release();
  }
}

/** Splits a family in two, so that the raw limit does not profit from pages that Burgee has read. */
async function family(bench: Bench, name: string, needles: readonly Needle[], firstMs: number) {
  const half = Math.floor((needles.length * 2) / 3);
  const raw = bench.reader ? undefined : await rawTexts(bench, needles.slice(half));
  const questions = await questionsOf(bench, needles.slice(0, half));
  return firstAndAgain(bench, name, questions, firstMs, raw);
}

/** Each of these occurs in every event. */
const everywhere = ['release', 'elease', 'releas', '"comment":"rel', 'comment":"release'];

async function everyEvent(bench: Bench): Promise<readonly Result[]> {
  const questions: Question[] = [];
  for (const query of everywhere) {
    questions.push({ parameters: { query }, expected: await countTexts(bench, query) });
  }
  return firstAndAgain(bench, 'in every event', questions, 700);
}

/** Searches each text in another project. */
async function inProjects(bench: Bench, name: string, texts: readonly string[]) {
  const questions: Question[] = [];
  for (const [index, query] of texts.entries()) {
    const project = projects[index % projects.length] ?? '';
    const expected = await countTexts(bench, query, project);
    questions.push({ parameters: { query, project: `IS:${project}` }, expected });
  }
  return firstAndAgain(bench, name, questions, 400);
}

/** Words that are each common, and together rare. */
const together = ['enable the new', 'careful quick gradual', 'users customers', 'traffic latency'];

async function commonWords(bench: Bench): Promise<readonly Result[]> {
  const questions: Question[] = [];
  for (const query of together) {
    questions.push({ parameters: { query }, expected: await countTexts(bench, query) });
  }
  return firstAndAgain(bench, 'phrases of common words', questions, 200);
}

/** Searches every needle twice, and compares each total with the planted number. */
export const texts: Experiment = {
  name: 'texts',
  run: async (bench) => {
    const { needles } = bench;
    return [
      ...(await family(bench, '20 hits', needles.twenty.slice(0, -4), 50)),
      ...(await family(bench, '1,000 hits', needles.thousand.slice(0, -10), 50)),
      ...(await family(bench, 'no hit', needles.none, 50)),
      ...(await firstAndAgain(bench, 'non-ASCII', await questionsOf(bench, needles.awkward), 50)),
      ...(await everyEvent(bench)),
      ...(await firstAndAgain(
        bench,
        'no hit, common words',
        await questionsOf(bench, [needles.hardNone]),
        700,
      )),
      ...(await firstAndAgain(
        bench,
        'one or two characters',
        await questionsOf(bench, [...needles.twoCharacters, ...needles.oneCharacter]),
        1_500,
      )),
      ...(await inProjects(
        bench,
        'with a project',
        // From the ends of the families, which no other search has used.
        [...needles.thousand.slice(-10), ...needles.twenty.slice(-4)].map(({ query }) => query),
      )),
      ...(await inProjects(bench, 'in every event, with a project', everywhere)),
      ...(await commonWords(bench)),
    ];
  },
};
