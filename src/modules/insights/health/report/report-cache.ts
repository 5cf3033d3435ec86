import type { Actor } from '../../../../platform/actor.ts';
import { createCache } from '../../../../platform/cache.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { Db, ReadSnapshot } from '../../../../platform/db/database.ts';
import {
  createPreparedResponses,
  type PreparedResponse,
} from '../../../../platform/http/prepared-response.ts';
import { createSingleFlight } from '../../../../platform/single-flight.ts';
import { readFavorites, readRevision } from './queries.ts';
import { composeReport, entityTagOf, piecesOf, type Report, readReport } from './service.ts';

interface Reports {
  /** Returns the current report of an active project. Callers with other favorites get another response. */
  readonly get: (project: string, actor: Actor) => Promise<PreparedResponse>;
}

/** For reports, and as much again for responses. */
const maxCachedBytes = 32 * 1024 * 1024;

const costOf = ({ fields, features }: Report): number =>
  features.reduce((sum, { json }) => sum + json.length, fields.length);

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
  const reports = createCache<string, Report>({ maxCost: maxCachedBytes, costOf });
  const flight = createSingleFlight<string, Report>();
  const prepare = createPreparedResponses({ maxBytes: maxCachedBytes, level });

  async function make(project: string, actor: Actor): Promise<Report> {
    const now = clock();
    reports.delete(project);
    const rows = await readSnapshot((snapshot) =>
      readReport(snapshot, { actor, baseUrl, now }, project),
    );
    const report = await composeReport(rows, now);
    reports.set(project, report);
    return report;
  }

  /** Returns the cached report if it is still current. */
  async function findCurrent(project: string): Promise<Report | undefined> {
    const cached = reports.get(project);
    const now = clock().getTime();
    if (!cached || now < cached.from || now >= cached.until) return undefined;
    const { revision } = cached;
    const { touched, ...current } = await readRevision(db, project, revision);
    if (touched || current.rewrites !== revision.rewrites || current.seen !== revision.seen) {
      return undefined;
    }
    if (current.head === revision.head) return cached;
    // The events of other projects need not be checked again.
    const same = { ...cached, revision: current };
    reports.set(project, same);
    return same;
  }

  return {
    async get(project, actor) {
      const report = await flight.joinNext(
        project,
        async () => (await findCurrent(project)) ?? (await make(project, actor)),
      );
      const favorites = await readFavorites(db, project, actor.id);
      const entityTag = entityTagOf(report, favorites);
      return prepare({
        key: `${project} ${JSON.stringify(favorites)}`,
        version: entityTag,
        entityTag,
        pieces: () => piecesOf(report, favorites),
      });
    },
  };
}
