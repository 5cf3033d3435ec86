import type { ReadSnapshot, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../platform/errors.ts';
import { findProject, lockForNewFeature } from '../../catalogue/projects/index.ts';
import type { References, Scan, ScanOutcome } from './contract.ts';
import {
  countOtherScans,
  countReferences,
  deleteReferences,
  deleteScan,
  insertReferences,
  listFeaturesOf,
  listReferences,
  listScans,
  type Reference,
  type ReferenceFilter,
  upsertScan,
} from './queries.ts';

/** Each page tells of all of them. */
const maxRepositories = 500;

/** Names are told so that a typing error can be found, not to send the scan back. */
const maxUnknownNames = 100;

const onceEach = (references: readonly Reference[]): Reference[] => [
  ...new Map(
    references.map((reference) => [
      `${reference.line} ${reference.feature} ${reference.path}`,
      reference,
    ]),
  ).values(),
];

/**
 * What a scan found takes the place of what an earlier one of the repository had found. Names that no feature
 * has are kept too: a feature that is made, or moves here, after the scan is in the code that was searched.
 */
export async function replaceReferences(
  tx: Tx,
  project: string,
  { repository, commit, references }: Scan,
): Promise<ScanOutcome> {
  await lockForNewFeature(tx, project);
  if ((await countOtherScans(tx.db, project, repository)) >= maxRepositories) {
    throw invalidOperation(
      `The project '${project}' has reached the limit of ${maxRepositories} repositories`,
    );
  }
  await upsertScan(tx, project, { repository, commit: commit ?? null });
  const names = [...new Set(references.map(({ feature }) => feature))];
  const known = new Set((await listFeaturesOf(tx.db, project, names)).map(({ name }) => name));
  const found = onceEach(references);
  const unknown = names.filter((name) => !known.has(name)).sort();
  await deleteReferences(tx, project, repository);
  if (found.length > 0) await insertReferences(tx, project, repository, found);
  return {
    repository,
    commit: commit ?? null,
    scannedAt: tx.now.toISOString(),
    references: found.filter(({ feature }) => known.has(feature)).length,
    unknownFeatureCount: unknown.length,
    unknownFeatures: unknown.slice(0, maxUnknownNames),
  };
}

export async function removeScan(tx: Tx, project: string, repository: string): Promise<void> {
  if (!(await deleteScan(tx, project, repository))) throw notFound('scan of', repository);
}

interface ReferenceSearch extends ReferenceFilter {
  readonly limit: number;
  readonly offset: number;
}

/** Of a living project; page, total and scans are of one snapshot. */
export const searchReferences = (
  readSnapshot: ReadSnapshot,
  project: string,
  { limit, offset, ...filter }: ReferenceSearch,
): Promise<References> =>
  readSnapshot(async (db) => {
    const living = await findProject(db, project);
    if (!living || living.archivedAt !== undefined) throw notFound('project', project);
    return {
      scans: await listScans(db, project),
      references: await listReferences(db, project, filter, { limit, offset }),
      total: await countReferences(db, project, filter),
    };
  });
