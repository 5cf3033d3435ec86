import type { Actor, Db, Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { sees } from '../../../../platform/permission.ts';
import { record } from '../../../events/index.ts';
import { listStrategiesIn } from '../../features/index.ts';
import type { ExportDocument } from '../document-schema.ts';
import {
  listContextFieldsNamed,
  listDependenciesOf,
  listSegmentsWithIds,
  listStates,
  listTagsOf,
  listTagTypesNamed,
} from '../queries.ts';
import type { ExportRequest } from './contract.ts';
import { featuresExported } from './events.ts';
import { findEnvironment, findLivingProject, listSelected, type Selection } from './queries.ts';

/** Names win over a tag, and a tag over a project. */
function selectionOf({ features = [], tag, project }: ExportRequest): Selection {
  if (features.length > 0) return { names: features };
  if (tag !== undefined) return { tag };
  return project === undefined ? {} : { project };
}

/** `db` is a snapshot, so that all reads see one state of the database. */
export async function readExport(
  db: Db,
  actor: Actor,
  request: ExportRequest,
): Promise<ExportDocument> {
  const { environment } = request;
  const selection = selectionOf(request);
  const selected = await listSelected(db, selection, actor.sees);
  const names = selected.map(({ name }) => name);
  const faults = await requestFaults(db, actor, request, selection, new Set(names));
  if (faults.length > 0) throw badData(faults);

  const states = await listStates(db, names, environment);
  const exported = new Set(states.map(({ featureName }) => featureName));
  const strategies = (await listStrategiesIn(db, names, environment)).filter(({ featureName }) =>
    exported.has(featureName),
  );
  const tags = await listTagsOf(db, names);
  const dependencies = grouped(await listDependenciesOf(db, names), ({ child }) => child);
  const environments = states.map(({ featureName, enabled, variants }) => ({
    name: featureName,
    featureName,
    environment,
    enabled,
    variants: variants ?? [],
  }));
  return {
    features: selected.map(({ createdAt, ...feature }) => ({
      ...feature,
      archived: false,
      createdAt: createdAt.toISOString(),
    })),
    featureStrategies: strategies.map((strategy) => ({ ...strategy, environment })),
    featureEnvironments: environments,
    contextFields: await listContextFieldsNamed(db, fieldsOf(strategies, environments)),
    featureTags: tags.map(({ featureName, type, value }) => ({
      featureName,
      tagType: type,
      tagValue: value,
    })),
    segments: await listSegmentsWithIds(db, [
      ...new Set(strategies.flatMap(({ segments }) => segments)),
    ]),
    tagTypes: await listTagTypesNamed(db, [...new Set(tags.map(({ type }) => type))]),
    dependencies: [...dependencies].map(([feature, parents]) => ({
      feature,
      dependencies: parents.map(({ child: _, ...dependency }) => dependency),
    })),
  };
}

async function requestFaults(
  db: Db,
  actor: Actor,
  { environment, features = [], project }: ExportRequest,
  selection: Selection,
  found: ReadonlySet<string>,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const nothing = (path: string, what: string) =>
    faults.push({ path, message: `There is no ${what}` });
  if (!(await findEnvironment(db, environment))) {
    nothing('/body/environment', `environment '${environment}'`);
  }
  if (selection.names) {
    for (const [index, name] of features.entries()) {
      if (!found.has(name)) nothing(`/body/features/${index}`, `feature '${name}'`);
    }
  }
  if (selection.project !== undefined && project !== undefined) {
    const exists = sees(actor, project) && (await findLivingProject(db, project));
    if (!exists) nothing('/body/project', `project '${project}'`);
  }
  return faults;
}

type Strategies = readonly Omit<ExportDocument['featureStrategies'][number], 'environment'>[];

/** The context fields that constraints, rollouts and variants name. */
function fieldsOf(
  strategies: Strategies,
  environments: ExportDocument['featureEnvironments'],
): string[] {
  const ofStrategies = strategies.flatMap(({ constraints, parameters, variants }) => [
    ...constraints.map(({ contextName }) => contextName),
    ...variants.map(({ stickiness }) => stickiness),
    ...(parameters.stickiness === undefined ? [] : [parameters.stickiness]),
  ]);
  const ofVariants = environments
    .flatMap(({ variants }) => variants)
    .flatMap(({ stickiness, overrides }) => [
      stickiness,
      ...overrides.map(({ contextName }) => contextName),
    ]);
  return [...new Set([...ofStrategies, ...ofVariants])];
}

/** An event names this many features, and counts them all. */
const maxNamed = 1000;

export function recordExport(tx: Tx, environment: string, document: ExportDocument): void {
  const { features } = document;
  const projects = new Set(features.map(({ project }) => project));
  const [project] = projects;
  record(
    tx,
    featuresExported({
      environment,
      ...(projects.size === 1 && project !== undefined && { project }),
      data: {
        environment,
        features: features.slice(0, maxNamed).map(({ name }) => name),
        featureCount: features.length,
        strategyCount: document.featureStrategies.length,
        tagCount: document.featureTags.length,
        contextFieldCount: document.contextFields.length,
        segmentCount: document.segments.length,
        dependencyCount: document.dependencies.length,
      },
    }),
  );
}
