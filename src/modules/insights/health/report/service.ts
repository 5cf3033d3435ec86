import { createHash } from 'node:crypto';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { digestOf } from '../../../../platform/http/entity-tag.ts';
import { createSlices } from '../../../../platform/slices.ts';
import { getProjectOverviewFor } from '../../../catalogue/projects/index.ts';
import { listWholeFeatures } from '../../../flags/features/index.ts';
import { agingOf, findAgingRows } from '../rating/queries.ts';
import { rate } from '../rating/rating.ts';
import { type Favorites, type Revision, readRevision } from './queries.ts';

/** The version of the response's format, as clients of the reference product expect it. */
const version = 1;

/** The part of a report that is the same for every caller. Favourites are added when it is sent. */
export interface Report {
  readonly revision: Revision;
  /** The period in which the report is valid if nothing changes. */
  readonly from: number;
  readonly until: number;
  /** The fields of the project as JSON, without the braces. */
  readonly fields: string;
  /** Each feature as JSON, without the closing brace. */
  readonly features: readonly { readonly name: string; readonly json: string }[];
  readonly hash: string;
}

interface Reader {
  readonly actor: Actor;
  readonly baseUrl: string;
  readonly now: Date;
}

/** Reads the data of a report. The caller must pass a `db` that reads one snapshot. */
export async function readReport(db: Db, reader: Reader, id: string) {
  const features = await listWholeFeatures(db, reader, id);
  const project = await getProjectOverviewFor(db, reader, id);
  const aging = await findAgingRows(db, id, reader.now);
  const revision = await readRevision(db, id);
  if (!aging || project.archivedAt !== undefined) throw notFound('project', id);
  return { project, aging: agingOf(aging), revision, features };
}

/** Renders a report. It pauses between features: 10,000 take about 0.2 s. */
export async function composeReport(
  { project, aging, revision, features }: Awaited<ReturnType<typeof readReport>>,
  now: Date,
): Promise<Report> {
  const { name, description, defaultStickiness, mode, featureLimit, members } = project;
  const { environments, updatedAt, createdAt, featureNaming } = project;
  const { rating, until } = rate(aging, now.getTime());
  const { health, stats, potentiallyStaleCount, activeCount, staleCount } = rating;
  const fields = JSON.stringify({
    ...{ version, name, description: description ?? '', defaultStickiness, mode, featureLimit },
    ...{ members, health, environments, updatedAt, createdAt, stats },
    ...{ featureNaming: featureNaming ?? {}, potentiallyStaleCount, activeCount, staleCount },
  }).slice(1, -1);
  const slices = createSlices();
  const hash = createHash('sha256').update(fields);
  const texts: { name: string; json: string }[] = [];
  for (const feature of features) {
    if (slices.isOver()) await slices.pause();
    const description = feature.description ?? '';
    const text = JSON.stringify(
      Object.assign(feature, { description, favorite: undefined, links: undefined }),
    );
    hash.update(text);
    texts.push({ name: feature.name, json: text.slice(0, -1) });
  }
  return {
    revision,
    from: now.getTime(),
    until,
    fields,
    features: texts,
    hash: hash.digest('base64url'),
  };
}

/** Returns a tag that changes exactly when the caller's response does. */
export const entityTagOf = ({ hash }: Report, favorites: Favorites): string =>
  `"${digestOf(`${hash} ${JSON.stringify(favorites)}`)}"`;

/** Renders the response to a caller, in pieces. */
export function* piecesOf({ fields, features }: Report, favorites: Favorites): Generator<string> {
  const own = new Set(favorites.features);
  yield `{${fields},"favorite":${favorites.project},"features":[`;
  let separator = '';
  for (const { name, json } of features) {
    yield `${separator}${json},"favorite":${own.has(name)}}`;
    separator = ',';
  }
  yield ']}';
}
