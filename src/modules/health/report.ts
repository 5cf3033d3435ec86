import { createHash } from 'node:crypto';
import { effectiveStrategy } from '../projects/index.ts';
import { type FeatureTexts, featureTexts, withFavorites } from './feature-texts.ts';
import { agingOf } from './queries/aging.ts';
import type { ReportRows } from './queries/report.ts';
import type { Favorites, Revision } from './queries/revision.ts';
import { rate } from './rating.ts';

/** What a report tells everybody, and for how long it is true. */
export interface SharedReport {
  readonly revision: Revision;
  readonly seenSum: string;
  readonly from: number;
  readonly until: number;
  /** Of the answer to somebody without favourites. */
  readonly hash: string;
  readonly plain: Buffer;
  /** The fields of the project, without the braces. */
  readonly fields: string;
  readonly features: FeatureTexts;
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

/** Joined in one go: with the beginning before and the end behind what is joined, all of it is copied once more. */
const bytesOf = (fields: string, favorite: boolean, features: readonly string[]): Buffer =>
  Buffer.from([`{${fields},"favorite":${favorite},"features":[`, ...features, ']}'].join(''));

/** The report of a project from what was read of it at an instant. */
export function composeReport(rows: ReportRows, { project, baseUrl, now }: Reading): SharedReport {
  const { name, description, defaultStickiness, mode, featureLimit, featureNaming } = rows;
  const { createdAt, updatedAt, joined } = rows;
  const { rating, until } = rate(agingOf(rows), now.getTime());
  const { health, stats, potentiallyStaleCount, activeCount, staleCount } = rating;
  const fields = JSON.stringify({
    ...{ version, name, description, defaultStickiness, mode, featureLimit },
    ...{ members: joined.length, health, environments: environmentsOf(rows), updatedAt, createdAt },
    ...{ stats, featureNaming, potentiallyStaleCount, activeCount, staleCount },
  }).slice(1, -1);
  const features = featureTexts(rows, { project, baseUrl, environments: rows.environments });
  const plain = bytesOf(fields, false, features.pieces);
  return {
    revision: { head: rows.head, rewrites: rows.rewrites, marks: rows.marks },
    seenSum: rows.seenSum,
    from: now.getTime(),
    until,
    hash: createHash('sha256').update(plain).digest('base64url'),
    plain,
    fields,
    features,
  };
}

/** Changes when, and only when, the answer does: other projects leave no trace in it. */
export const entityTagOf = ({ hash }: SharedReport, { features, project }: Favorites): string => {
  const whole = createHash('sha256').update(`${hash} ${project} ${features}`);
  return `"${whole.digest('base64url').slice(0, 22)}"`;
};

/** The report with what the caller has as favourites. */
export function answerOf(report: SharedReport, favorites: Favorites): Buffer {
  const { plain, fields, features } = report;
  if (favorites.features === '' && !favorites.project) return plain;
  const list = withFavorites(features, new Set(favorites.features.split(' ')));
  return bytesOf(fields, favorites.project, list);
}
