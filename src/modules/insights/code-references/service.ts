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

/** A limit, because every page of references lists all scans. */
const maxRepositories = 500;

/** The response names unknown features, to reveal typing errors. A hundred are enough for that. */
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
 * Replaces the references of an earlier scan of the repository. Unknown names are stored too, for features that are
 * created or moved here after the scan.
 */
export async function replaceReferences(
  tx: Tx,
  project: string,
  { repository, commit, references }: Scan,
): Promise<ScanOutcome> {
  await lockForNewFeature(tx, project);
  if ((await countOtherScans(tx.db, project, repository)) >= maxRepositories) {
    throw invalidOperation(
      `Project '${project}' has reached the limit of ${maxRepositories} repositories`,
    );
  }
  await upsertScan(tx, project, { repository, commit: commit ?? null });
  const names = [...new Set(references.map(({ feature }) => feature))];
  const existing = new Set((await listFeaturesOf(tx.db, project, names)).map(({ name }) => name));
  const found = onceEach(references);
  const unknown = names.filter((name) => !existing.has(name)).sort();
  await deleteReferences(tx, project, repository);
  if (found.length > 0) await insertReferences(tx, project, repository, found);
  return {
    repository,
    commit: commit ?? null,
    scannedAt: tx.now.toISOString(),
    references: found.filter(({ feature }) => existing.has(feature)).length,
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

/** Searches the references of an active project. Page, total and scans are of one snapshot. */
export const searchReferences = (
  readSnapshot: ReadSnapshot,
  project: string,
  { limit, offset, ...filter }: ReferenceSearch,
): Promise<References> =>
  readSnapshot(async (db) => {
    const found = await findProject(db, project);
    if (!found || found.archivedAt !== undefined) throw notFound('project', project);
    return {
      scans: await listScans(db, project),
      references: await listReferences(db, project, filter, { limit, offset }),
      total: await countReferences(db, project, filter),
    };
  });
