import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { inBlocks } from '../../../../platform/http/long-json.ts';
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
import {
  findEnvironment,
  findLivingProject,
  listFeaturesNamed,
  listProjectsWith,
  listSelected,
  type Selection,
} from './queries.ts';

/** Names win over a tag, and a tag over a project. */
function selectionOf({ features = [], tag, project }: ExportRequest): Selection {
  if (features.length > 0) return { names: features };
  if (tag !== undefined) return { tag };
  return project === undefined ? {} : { project };
}

/** Some items of one of the document's lists. */
type Part = {
  [List in keyof ExportDocument]: {
    readonly list: List;
    readonly items: Readonly<ExportDocument[List]>;
  };
}[keyof ExportDocument];

/** How many features a statement reads. */
const batchSize = 250;

function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += batchSize) {
    yield items.slice(from, from + batchSize);
  }
}

/**
 * Reads an export, list by list in their order in the document, and a few features at a time. `db` is a snapshot, so
 * that all reads see one state of the database.
 */
async function* readParts(db: Db, actor: Actor, request: ExportRequest): AsyncGenerator<Part> {
  const { environment } = request;
  const selection = selectionOf(request);
  const selected = await listSelected(db, selection, actor.sees);
  const names = selected.map(({ name }) => name);
  const faults = await requestFaults(db, actor, request, selection, new Set(names));
  if (faults.length > 0) throw badData(faults);

  for (const batch of batchesOf(names)) {
    const features = await listFeaturesNamed(db, batch);
    yield {
      list: 'features',
      items: features.map(({ createdAt, ...feature }) => ({
        ...feature,
        archived: false,
        createdAt: createdAt.toISOString(),
      })),
    };
  }

  const fields = new Set<string>();
  const segments = new Set<number>();
  const projects = await listProjectsWith(db, environment);
  const configured = selected.filter(({ project }) => projects.has(project));
  for (const batch of batchesOf(configured.map(({ name }) => name))) {
    const strategies = await listStrategiesIn(db, batch, environment);
    for (const strategy of strategies) {
      for (const id of strategy.segments) segments.add(id);
      for (const field of fieldsOfStrategy(strategy)) fields.add(field);
    }
    yield {
      list: 'featureStrategies',
      items: strategies.map((strategy) => ({ ...strategy, environment })),
    };
  }
  for (const batch of batchesOf(configured.map(({ name }) => name))) {
    const states = await listStates(db, batch, environment);
    const environments = states.map(({ featureName, enabled, variants }) => ({
      name: featureName,
      featureName,
      environment,
      enabled,
      variants: variants ?? [],
    }));
    for (const state of environments) {
      for (const field of fieldsOfVariants(state)) fields.add(field);
    }
    yield { list: 'featureEnvironments', items: environments };
  }
  yield { list: 'contextFields', items: await listContextFieldsNamed(db, [...fields]) };

  const tagTypes = new Set<string>();
  for (const batch of batchesOf(names)) {
    const tags = await listTagsOf(db, batch);
    for (const { type } of tags) tagTypes.add(type);
    yield {
      list: 'featureTags',
      items: tags.map(({ featureName, type, value }) => ({
        featureName,
        tagType: type,
        tagValue: value,
      })),
    };
  }
  yield { list: 'segments', items: await listSegmentsWithIds(db, [...segments]) };
  yield { list: 'tagTypes', items: await listTagTypesNamed(db, [...tagTypes]) };

  for (const batch of batchesOf(names)) {
    const dependencies = grouped(await listDependenciesOf(db, batch), ({ child }) => child);
    yield {
      list: 'dependencies',
      items: [...dependencies].map(([feature, parents]) => ({
        feature,
        dependencies: parents.map(({ child: _, ...dependency }) => dependency),
      })),
    };
  }
}

const emptyDocument = (): ExportDocument => ({
  features: [],
  featureStrategies: [],
  featureEnvironments: [],
  contextFields: [],
  featureTags: [],
  segments: [],
  tagTypes: [],
  dependencies: [],
});

/** Reads an export as one document. `db` is a snapshot. */
export async function readExport(
  db: Db,
  actor: Actor,
  request: ExportRequest,
): Promise<ExportDocument> {
  const document = emptyDocument();
  for await (const { list, items } of readParts(db, actor, request)) {
    (document[list] as unknown[]).push(...items);
  }
  return document;
}

/** What an event says of an export. */
interface ExportFacts {
  readonly projects: ReadonlySet<string>;
  readonly firstFeatures: readonly string[];
  readonly counts: Readonly<Record<keyof ExportDocument, number>>;
}

/** An export as UTF-8, in blocks. */
export interface WrittenExport {
  readonly facts: ExportFacts;
  readonly blocks: Buffer[];
}

/** An event names this many features, and counts them all. */
const maxNamed = 1000;

/**
 * Writes an export. `db` is a snapshot. The bytes are in memory until they are sent, because a slow reader would hold
 * the snapshot otherwise.
 */
export async function writeExport(
  db: Db,
  actor: Actor,
  request: ExportRequest,
): Promise<WrittenExport> {
  const projects = new Set<string>();
  const firstFeatures: string[] = [];
  const lists = Object.keys(emptyDocument()) as (keyof ExportDocument)[];
  const counts = Object.fromEntries(lists.map((list) => [list, 0])) as Record<
    keyof ExportDocument,
    number
  >;

  async function* pieces() {
    const left = [...lists];
    let separator = '';
    /** Ends the list before this one, and begins it and those between them. */
    const begin = (list?: keyof ExportDocument): string => {
      let text = '';
      while (left.length > 0 && (list === undefined || left.includes(list))) {
        text += `${left.length === lists.length ? '{' : '],'}"${left.shift()}":[`;
        separator = '';
      }
      return text;
    };
    for await (const part of readParts(db, actor, request)) {
      yield begin(part.list);
      counts[part.list] += part.items.length;
      if (part.list === 'features') {
        for (const { name, project } of part.items) {
          projects.add(project);
          if (firstFeatures.length < maxNamed) firstFeatures.push(name);
        }
      }
      for (const item of part.items) {
        yield separator + JSON.stringify(item);
        separator = ',';
      }
    }
    yield `${begin()}]}`;
  }

  const blocks: Buffer[] = [];
  for await (const block of inBlocks(pieces())) blocks.push(Buffer.from(block));
  return { facts: { projects, firstFeatures, counts }, blocks };
}

/** The text of an export, which is forgotten as it is taken. */
export function* textOf({ blocks }: WrittenExport): Generator<string> {
  for (let block = blocks.shift(); block; block = blocks.shift()) yield block.toString();
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

type StrategyFields = Pick<
  ExportDocument['featureStrategies'][number],
  'constraints' | 'parameters' | 'variants'
>;

/** The context fields that constraints, rollouts and variants of a strategy name. */
const fieldsOfStrategy = ({ constraints, parameters, variants }: StrategyFields): string[] => [
  ...constraints.map(({ contextName }) => contextName),
  ...variants.map(({ stickiness }) => stickiness),
  ...(parameters.stickiness === undefined ? [] : [parameters.stickiness]),
];

const fieldsOfVariants = ({
  variants,
}: Pick<ExportDocument['featureEnvironments'][number], 'variants'>): string[] =>
  variants.flatMap(({ stickiness, overrides }) => [
    stickiness,
    ...overrides.map(({ contextName }) => contextName),
  ]);

export function recordExport(
  tx: Tx,
  environment: string,
  { projects, firstFeatures, counts }: ExportFacts,
): void {
  const [project] = projects;
  record(
    tx,
    featuresExported({
      environment,
      ...(projects.size === 1 && project !== undefined && { project }),
      data: {
        environment,
        features: [...firstFeatures],
        featureCount: counts.features,
        strategyCount: counts.featureStrategies,
        tagCount: counts.featureTags,
        contextFieldCount: counts.contextFields,
        segmentCount: counts.segments,
        dependencyCount: counts.dependencies,
      },
    }),
  );
}
