import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import { inSlices } from '../../../platform/slices.ts';
import { findReportRows } from './queries/report.ts';
import {
  type Favorites,
  favoritesOf,
  readFavorites,
  readRevision,
  readSeenSum,
} from './queries/revision.ts';
import { answerOf, composeReport, entityTagOf, type SharedReport } from './report.ts';

interface Answer {
  readonly entityTag: string;
  /** Made when it is asked for: whoever has it already needs only the tag. */
  readonly plain: () => Buffer;
  readonly gzipped: () => Buffer | Promise<Buffer>;
}

interface Reports {
  /** The report of a living project, as of now, for somebody. */
  readonly get: (project: string, userId: number) => Promise<Answer>;
}

/** One report in bytes. */
interface Body {
  readonly plain: Buffer;
  packed?: Buffer | Promise<Buffer>;
}

/** A report that was made once, with what is known of those who asked for it. */
interface Kept {
  shared: SharedReport;
  readonly favorites: Map<number, Favorites>;
  /** By tag: whoever has the same favourites gets the same. */
  readonly bodies: Map<string, Body>;
}

/** Bodies differ by favourites, and are large: nobody needs all of them at once. */
const maxBodies = 4;
const maxKeptBytes = 64 * 1024 * 1024;
const maxCallers = 10_000;
/** What a project is taken to have whose report nobody has asked for yet. */
const usualFeatures = 1_000;

/** A report is there as bytes, packed too, and again for each who has favourites. */
const sizeOf = ({ shared: { plain }, bodies }: Kept): number =>
  [...bodies.values()].reduce(
    (sum, body) => sum + (body.plain === plain ? 0 : plain.length) + plain.length / 10,
    plain.length,
  );

/** The least recently used is forgotten first; the last one never, however large it is. */
function createMemory() {
  const kept = new Map<string, Kept>();
  return {
    find(project: string): Kept | undefined {
      const found = kept.get(project);
      if (found) {
        kept.delete(project);
        kept.set(project, found);
      }
      return found;
    },
    forget: (project: string) => kept.delete(project),
    keep(project: string, report: Kept): void {
      kept.delete(project);
      kept.set(project, report);
      let size = [...kept.values()].reduce((sum, each) => sum + sizeOf(each), 0);
      for (const [oldest, each] of kept) {
        if (size <= maxKeptBytes || kept.size === 1) break;
        kept.delete(oldest);
        size -= sizeOf(each);
      }
    },
  };
}

const isOf = ({ from, until }: SharedReport, now: Date): boolean =>
  from <= now.getTime() && now.getTime() < until;

const pack = promisify(gzip);
/** A tenth of the size; the best takes five times as long for a twentieth. */
const level = 1;

function gzipped(body: Body): Buffer | Promise<Buffer> {
  body.packed ??= pack(body.plain, { level }).then(
    (ready) => {
      body.packed = ready;
      return ready;
    },
    (error) => {
      delete body.packed;
      throw error;
    },
  );
  return body.packed;
}

interface Options {
  /** For the short look, and for the report itself. */
  readonly db: Db;
  readonly searchDb: Db;
  readonly clock: Clock;
  readonly baseUrl: string;
}

/**
 * Reports are made when something has changed, and kept until something does. Whether that is so is looked up for
 * every request, by one short statement for all that came meanwhile: what is answered is what was stored when they came.
 */
export function createReports({ db, searchDb, clock, baseUrl }: Options): Reports {
  const memory = createMemory();
  const { joinNext: look } = createSingleFlight<string, Kept>();

  async function make(project: string, userId: number): Promise<Kept> {
    const now = clock();
    const expected = memory.find(project)?.shared.features.names.length ?? usualFeatures;
    const rows = await findReportRows(searchDb, { project, userId, now, expected });
    if (!rows) {
      memory.forget(project);
      throw notFound('project', project);
    }
    const kept: Kept = {
      shared: await inSlices(composeReport(rows, { project, baseUrl, now })),
      favorites: new Map([[userId, favoritesOf(rows)]]),
      bodies: new Map(),
    };
    memory.keep(project, kept);
    return kept;
  }

  /** What is kept, if it is what would be made now. */
  async function findTrue(project: string): Promise<Kept | undefined> {
    const kept = memory.find(project);
    if (!kept || !isOf(kept.shared, clock())) return undefined;
    const {
      revision,
      features: { seenSum },
    } = kept.shared;
    const { touched, ...now } = await readRevision(db, project, revision);
    if (touched || now.rewrites !== revision.rewrites) return undefined;
    if (now.marks !== revision.marks && (await readSeenSum(db, project)) !== seenSum) {
      return undefined;
    }
    // What happened meanwhile was of no concern, and need not be looked through again.
    kept.shared = { ...kept.shared, revision: now };
    return kept;
  }

  async function favoritesIn(kept: Kept, project: string, userId: number): Promise<Favorites> {
    const known = kept.favorites.get(userId);
    if (known) return known;
    const favorites = await readFavorites(db, project, userId);
    if (kept.favorites.size >= maxCallers) kept.favorites.clear();
    kept.favorites.set(userId, favorites);
    return favorites;
  }

  function bodyOf(kept: Kept, project: string, entityTag: string, favorites: Favorites): Body {
    const known = kept.bodies.get(entityTag);
    if (known) return known;
    for (const oldest of kept.bodies.keys()) {
      if (kept.bodies.size < maxBodies) break;
      kept.bodies.delete(oldest);
    }
    const body = { plain: answerOf(kept.shared, favorites) };
    kept.bodies.set(entityTag, body);
    if (memory.find(project) === kept) memory.keep(project, kept);
    return body;
  }

  return {
    async get(project, userId) {
      const kept = await look(
        project,
        async () => (await findTrue(project)) ?? (await make(project, userId)),
      );
      const favorites = await favoritesIn(kept, project, userId);
      const entityTag = entityTagOf(kept.shared, favorites);
      const body = () => bodyOf(kept, project, entityTag, favorites);
      return { entityTag, plain: () => body().plain, gzipped: () => gzipped(body()) };
    },
  };
}
