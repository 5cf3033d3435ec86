import { createHash } from 'node:crypto';
import { effectiveStrategy } from '../../catalogue/projects/index.ts';
import { createByteWriter } from './byte-writer.ts';
import { headsOf } from './feature-rows.ts';
import { type WrittenFeatures, writeFeatures } from './feature-texts.ts';
import { agingOf } from './queries/aging.ts';
import type { ReportRows } from './queries/report.ts';
import type { Favorites, Revision } from './queries/revision.ts';
import { rate } from './rating.ts';

/** What a report tells everybody, and for how long it is true. */
export interface SharedReport {
  readonly revision: Revision;
  readonly from: number;
  readonly until: number;
  /** Of the answer to somebody without favourites. */
  readonly hash: string;
  readonly plain: Buffer;
  /** The fields of the project, without the braces. */
  readonly fields: string;
  /** Where in the bytes the features begin. */
  readonly featuresAt: number;
  readonly features: WrittenFeatures;
}

/** The shape of the answer, as clients of the reference product expect it. */
const version = 1;

const environmentsOf = ({ environments, defaultStickiness }: ReportRows) =>
  environments.map(({ name, storedStrategy }) => ({
    environment: name,
    changeRequestsEnabled: false,
    defaultStrategy: effectiveStrategy(storedStrategy, defaultStickiness),
  }));

/** Where the report was read: its project, when, and where pictures of people are. */
interface Reading {
  readonly project: string;
  readonly baseUrl: string;
  readonly now: Date;
}

const beginningOf = (fields: string, favorite: boolean): string =>
  `{${fields},"favorite":${favorite},"features":[`;

/** About as much as a report needs: the texts that were read, and what stands around each of them. */
const roomFor = ({ heads, strategies }: ReportRows): number =>
  2 * (2 * (heads?.length ?? 0) + (strategies?.length ?? 0)) + 65_536;

const bytesPerStep = 1024 * 1024;

function* digestOf(bytes: Buffer): Generator<void, string> {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += bytesPerStep) {
    hash.update(bytes.subarray(from, from + bytesPerStep));
    yield;
  }
  return hash.digest('base64url');
}

/** The report of a project from what was read of it at an instant, in steps. */
export function* composeReport(
  rows: ReportRows,
  { project, baseUrl, now }: Reading,
): Generator<void, SharedReport> {
  const { name, description, defaultStickiness, mode, featureLimit, featureNaming } = rows;
  const { createdAt, updatedAt, joined } = rows;
  const heads = headsOf(rows);
  yield;
  const { rating, until } = rate(agingOf(rows, heads), now.getTime());
  const { health, stats, potentiallyStaleCount, activeCount, staleCount } = rating;
  const fields = JSON.stringify({
    ...{ version, name, description, defaultStickiness, mode, featureLimit },
    ...{ members: joined.length, health, environments: environmentsOf(rows), updatedAt, createdAt },
    ...{ stats, featureNaming, potentiallyStaleCount, activeCount, staleCount },
  }).slice(1, -1);
  const bytes = createByteWriter(roomFor(rows));
  const featuresAt = bytes.write(beginningOf(fields, false));
  const { environments } = rows;
  const features = yield* writeFeatures(bytes, heads, rows, { project, baseUrl, environments });
  bytes.write(']}');
  const plain = bytes.bytes();
  return {
    revision: { head: rows.head, rewrites: rows.rewrites, marks: rows.marks },
    from: now.getTime(),
    until,
    hash: yield* digestOf(plain),
    plain,
    fields,
    featuresAt,
    features,
  };
}

/** Changes when, and only when, the answer does: other projects leave no trace in it. */
export const entityTagOf = ({ hash }: SharedReport, { features, project }: Favorites): string => {
  const whole = createHash('sha256').update(`${hash} ${project} ${features}`);
  return `"${whole.digest('base64url').slice(0, 22)}"`;
};

const no = Buffer.byteLength('false');
const yes = Buffer.from('true');

/** The report with what the caller has as favourites: the same bytes, but for these words. */
export function answerOf(report: SharedReport, favorites: Favorites): Buffer {
  const { plain, fields, featuresAt, features } = report;
  if (favorites.features === '' && !favorites.project) return plain;
  const own = new Set(favorites.features.split(' '));
  const parts: Buffer[] = [Buffer.from(beginningOf(fields, favorites.project))];
  let from = featuresAt;
  for (const [feature, name] of features.names.entries()) {
    if (!own.has(name)) continue;
    const at = features.favoriteAt[feature] as number;
    parts.push(plain.subarray(from, at), yes);
    from = at + no;
  }
  return Buffer.concat([...parts, plain.subarray(from)]);
}
