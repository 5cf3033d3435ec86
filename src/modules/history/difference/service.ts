import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../platform/db/database.ts';
import { badData } from '../../../platform/errors.ts';
import { getEventAt, type Past, readPast, readRest } from '../as-of.ts';
import { subjectsOf } from '../fold.ts';
import { listChangedSubjects } from '../queries.ts';
import type { Kind, Subject } from '../states.ts';
import { maxChanges } from './contract.ts';

interface Question {
  readonly from: string;
  readonly to: string;
  readonly project?: string;
  readonly environment?: string;
  readonly now: Date;
}

interface Change {
  readonly kind: Kind;
  readonly key: string;
  readonly part?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const tooMany = () =>
  badData([
    {
      path: '/query',
      message: `More than ${maxChanges} things changed between these moments. Choose moments that are closer together`,
    },
  ]);

function* changesOf({ kind, key }: Subject, before: Past, after: Past): Generator<Change> {
  const [old, fresh] = [before.partsOf(kind, key), after.partsOf(kind, key)];
  for (const part of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [was, is] = [old.get(part), fresh.get(part)];
    if (isDeepStrictEqual(was, is)) continue;
    yield {
      ...{ kind, key },
      ...(part !== '' && { part }),
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
    };
  }
}

const inEnvironments: ReadonlySet<Kind> = new Set(['feature-environment', 'project-environment']);
const ofProjects: ReadonlySet<Kind> = new Set([
  'project',
  'project-environment',
  'project-user',
  'project-group',
]);

/** Whether something belongs to a project, before or afterwards. */
function isOf(project: string, { kind, key }: Change, pasts: readonly Past[]): boolean {
  if (ofProjects.has(kind)) return key === project;
  if (kind === 'feature' || kind === 'feature-environment') {
    return pasts.some((past) => past.find('feature', key)?.project === project);
  }
  return kind === 'segment' && pasts.some((past) => past.find('segment', key)?.project === project);
}

const keyOf = ({ kind, key }: Subject) => JSON.stringify([kind, key]);

/** The feature of what it has in an environment says to which project that belongs. */
const withFeatures = (subjects: readonly Subject[]): Subject[] =>
  subjects.flatMap((subject) =>
    subject.kind === 'feature-environment'
      ? [subject, { kind: 'feature', key: subject.key }]
      : [subject],
  );

const distinct = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map((subject) => [keyOf(subject), subject])).values(),
];

const bySubject = (a: Subject, b: Subject): number => (keyOf(a) < keyOf(b) ? -1 : 1);

export async function getDifference(db: Db, question: Question) {
  const { project, environment, now } = question;
  const from = await getEventAt(db, { asOf: question.from, now });
  const to = await getEventAt(db, { asOf: question.to, now });
  if (from > to) {
    throw badData([{ path: '/query/from', message: '/query/from must not be later than to' }]);
  }
  const stored = await listChangedSubjects(db, { after: from, upTo: to, limit: maxChanges + 1 });
  const { rest } = await readRest(db, to);
  const subjects = distinct([...stored, ...rest.flatMap(subjectsOf)]).sort(bySubject);
  if (subjects.length > maxChanges) throw tooMany();
  const read = (eventId: number) =>
    readPast(db, { asOf: String(eventId), now }, [{ subjects: distinct(withFeatures(subjects)) }]);
  const [before, after] = [await read(from), await read(to)];
  const changes = subjects
    .flatMap((subject) => [...changesOf(subject, before, after)])
    .filter(
      (change) =>
        (project === undefined || isOf(project, change, [before, after])) &&
        (environment === undefined ||
          (inEnvironments.has(change.kind) && change.part === environment)),
    );
  if (changes.length > maxChanges) throw tooMany();
  return { from, to, changes };
}
