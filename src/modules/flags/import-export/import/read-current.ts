import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { sees } from '../../../../platform/permission.ts';
import { completeConstraint, legalValueFaults } from '../../../catalogue/context-fields/index.ts';
import type { Project } from '../../../catalogue/projects/index.ts';
import { findOwnersNamed, readFeatures } from '../../features/index.ts';
import type { ImportDocument } from '../document-schema.ts';
import { listContextFieldsNamed, listTagTypesNamed } from '../queries.ts';
import type { Current, CurrentFeature } from './plan/current.ts';
import { keyOf } from './plan/strategies.ts';
import {
  countFeatures,
  listFeatureTypeIds,
  listStrategyTypesNamed,
  listUsableSegments,
} from './queries.ts';

/** The features of a document and their parents. */
export const namesIn = ({ features, dependencies = [] }: ImportDocument): string[] => [
  ...new Set([
    ...features.map(({ name }) => name),
    ...dependencies.flatMap((each) => each.dependencies.map(({ feature }) => feature)),
  ]),
];

interface ImportTarget {
  readonly actor: Actor;
  readonly project: Project;
  readonly environment: string;
  readonly now: Date;
}

/** Takes as many statements for thousands of features as for one. */
export async function readCurrent(
  db: Db,
  { actor, project, environment, now }: ImportTarget,
  document: ImportDocument,
): Promise<Current> {
  const { featureStrategies, segments = [], contextFields = [], tagTypes = [] } = document;
  const usedTypes = (document.featureTags ?? []).map(({ tagType }) => tagType);
  const types = await listStrategyTypesNamed(db, [
    ...new Set(featureStrategies.map(({ name }) => name)),
  ]);
  const usable = await listUsableSegments(
    db,
    segments.map(({ name }) => name),
    project.id,
  );
  const fields = await listContextFieldsNamed(
    db,
    contextFields.map(({ name }) => name),
  );
  const existing = await listTagTypesNamed(db, [
    ...new Set([...tagTypes.map(({ name }) => name), ...usedTypes]),
  ]);
  return {
    project,
    now,
    featureCount: await countFeatures(db, project.id),
    features: await readCurrentFeatures(db, namesIn(document), environment),
    featureTypes: new Set((await listFeatureTypeIds(db)).map(({ id }) => id)),
    strategyTypes: new Map(types.map((type) => [type.name, type])),
    segments: new Map(usable.map(({ id, name }) => [name, id])),
    contextFields: new Set(fields.map(({ name }) => name)),
    tagTypes: new Set(existing.map(({ name }) => name)),
    owners: await findOwnersNamed(
      db,
      project.id,
      (document.featureMetadata ?? []).flatMap(({ owner }) => owner ?? []),
    ),
    illegal: await readIllegal(db, document, new Set(fields.map(({ name }) => name))),
    sees: (id) => sees(actor, id),
  };
}

async function readCurrentFeatures(
  db: Db,
  names: readonly string[],
  environment: string,
): Promise<ReadonlyMap<string, CurrentFeature>> {
  const features = await readFeatures(db, { names }, { environment });
  return new Map(
    features.map(({ archivedAt, dependencies, children, environments, ...feature }) => {
      const state = environments.find(({ name }) => name === environment);
      const current: CurrentFeature = {
        ...feature,
        archived: archivedAt !== null,
        enabled: state?.enabled ?? false,
        variants: state?.variants ?? [],
        strategies: (state?.strategies ?? []).map(({ title, ...strategy }) => ({
          ...strategy,
          ...(title !== null && { title }),
        })),
        parents: dependencies,
        hasChildren: children.length > 0,
      };
      return [feature.name, current];
    }),
  );
}

/** Checks each distinct constraint once, against the context fields here and those of the document. */
async function readIllegal(
  db: Db,
  { featureStrategies, contextFields = [] }: ImportDocument,
  knownFields: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const distinct = new Map(
    featureStrategies
      .flatMap(({ constraints = [] }) => constraints)
      .map((constraint) => [keyOf(constraint), completeConstraint(constraint)]),
  );
  const keys = [...distinct.keys()];
  const coming = contextFields
    .filter(({ name }) => !knownFields.has(name))
    .map(({ name, legalValues = [] }) => [name, legalValues] as const);
  const faults = await legalValueFaults(db, [...distinct.values()], '', [], new Map(coming));
  const byKey = grouped(faults, ({ path }) => keys[Number(path?.split('/')[1])] ?? '');
  return new Map(
    // The path would point into the list of distinct constraints, which no one knows.
    [...byKey].map(([key, own]) => [key, own.map(({ message }) => message.replace(/^\/\S+ /, ''))]),
  );
}
