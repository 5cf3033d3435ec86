import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Cache, createCache } from '../../../../platform/cache.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { Actor, Db, ReadSnapshot } from '../../../../platform/db/database.ts';
import { createSingleFlight } from '../../../../platform/single-flight.ts';
import { readFavorites, readRevision } from './queries.ts';
import { bytesOf, composeReport, entityTagOf, type Report, readReport } from './service.ts';

interface Answer {
  readonly entityTag: string;
  /** Rendered on demand: a caller that has the report needs only the tag. */
  readonly plain: () => Promise<Buffer>;
  readonly gzipped: () => Promise<Buffer>;
}

interface Reports {
  /** Returns the current report of an active project. */
  readonly get: (project: string, actor: Actor) => Promise<Answer>;
}

/** A report with the responses rendered from it. Callers with other favourites get another response. */
interface CachedReport {
  readonly report: Report;
  readonly answers: Cache<string, Promise<Buffer>>;
}

const maxCachedBytes = 64 * 1024 * 1024;
/** Plain and compressed, for callers without favourites and for those with the same ones. */
const maxAnswers = 4;

/** The cost of the report and two plain responses. A compressed response is a tenth of a plain one. */
const costOf = ({ report: { fields, features } }: CachedReport): number =>
  3 * features.reduce((sum, { json }) => sum + json.length, fields.length);

const pack = promisify(gzip);
/** Level 1 compresses a report to a tenth of its size. The best level takes five times as long for a twentieth. */
const level = 1;

interface Options {
  /** For the short statements of every request. */
  readonly db: Db;
  readonly readSnapshot: ReadSnapshot;
  readonly clock: Clock;
  readonly baseUrl: string;
}

/**
 * Creates reports, and caches each while it is current. Every request checks that with one short statement, which
 * concurrent callers share: a response is never older than its request.
 */
export function createReports({ db, readSnapshot, clock, baseUrl }: Options): Reports {
  const reports = createCache<string, CachedReport>({ maxCost: maxCachedBytes, costOf });
  const flight = createSingleFlight<string, CachedReport>();

  async function make(project: string, actor: Actor): Promise<CachedReport> {
    const now = clock();
    reports.delete(project);
    const rows = await readSnapshot((snapshot) =>
      readReport(snapshot, { actor, baseUrl, now }, project),
    );
    const report: CachedReport = {
      report: await composeReport(rows, now),
      answers: createCache({ maxEntries: maxAnswers }),
    };
    reports.set(project, report);
    return report;
  }

  /** Returns the cached report if it is still current. */
  async function findCurrent(project: string): Promise<CachedReport | undefined> {
    const cached = reports.get(project);
    const now = clock().getTime();
    if (!cached || now < cached.report.from || now >= cached.report.until) return undefined;
    const { revision } = cached.report;
    const { touched, ...current } = await readRevision(db, project, revision);
    if (touched || current.rewrites !== revision.rewrites || current.seen !== revision.seen) {
      return undefined;
    }
    if (current.head === revision.head) return cached;
    // The events of other projects need not be checked again.
    const same = { ...cached, report: { ...cached.report, revision: current } };
    reports.set(project, same);
    return same;
  }

  return {
    async get(project, actor) {
      const { report, answers } = await flight.joinNext(
        project,
        async () => (await findCurrent(project)) ?? (await make(project, actor)),
      );
      const favorites = await readFavorites(db, project, actor.id);
      const entityTag = entityTagOf(report, favorites);

      const once = (key: string, write: () => Promise<Buffer>): Promise<Buffer> => {
        const cached = answers.get(key);
        if (cached) return cached;
        const written = write();
        answers.set(key, written);
        written.catch(() => answers.delete(key));
        return written;
      };
      const plain = () => once(entityTag, () => bytesOf(report, favorites));
      const gzipped = () => once(`gzip ${entityTag}`, async () => pack(await plain(), { level }));
      return { entityTag, plain, gzipped };
    },
  };
}
