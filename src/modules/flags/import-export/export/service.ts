import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import { createSlices } from '../../../../platform/slices.ts';
import { record } from '../../../events/index.ts';
import { type CompleteFeature, readFeatures } from '../../features/index.ts';
import type { ExportDocument } from '../document-schema.ts';
import {
  listContextFieldsNamed,
  listLogins,
  listSegmentsWithIds,
  listTagTypesNamed,
} from '../queries.ts';
import type { ExportRequest } from './contract.ts';
import { featuresExported } from './events.ts';
import { findActiveProject, findEnvironment, listSelected, type Selection } from './queries.ts';

/** Names win over a tag, and a tag over a project. */
function selectionOf({ features = [], tag, project }: ExportRequest): Selection {
  if (features.length > 0) return { names: features };
  if (tag !== undefined) return { tag };
  return project === undefined ? {} : { project };
}

/** How many features a statement reads. */
const batchSize = 500;

type List = keyof ExportDocument;

/** The lists of a document, in their order, with items of any form. */
type Lists<Item> = { readonly [Name in List]: Item };

const listsOf = <Item>(make: () => Item): Lists<Item> => ({
  features: make(),
  featureStrategies: make(),
  featureEnvironments: make(),
  contextFields: make(),
  featureTags: make(),
  segments: make(),
  tagTypes: make(),
  dependencies: make(),
  featureMetadata: make(),
});

/** What a feature adds to the lists of a document. */
function partsOf(
  feature: CompleteFeature,
  environment: string,
  logins: ReadonlyMap<number, string>,
) {
  const { name, type, description, project, stale, impressionData, createdAt } = feature;
  const state = feature.environments.find((each) => each.name === environment);
  return {
    features: [
      { name, type, description, project, stale, impressionData, archived: false, createdAt },
    ],
    featureStrategies: (state?.strategies ?? []).map(({ title, ...strategy }) => ({
      ...strategy,
      ...(title !== null && { title }),
      environment,
    })),
    featureEnvironments: state
      ? [
          {
            ...{ name, featureName: name, environment },
            ...{ enabled: state.enabled, variants: state.variants },
          },
        ]
      : [],
    featureTags: feature.tags.map((tag) => ({
      ...{ featureName: name, tagType: tag.type, tagValue: tag.value },
    })),
    dependencies:
      feature.dependencies.length > 0
        ? [{ feature: name, dependencies: feature.dependencies }]
        : [],
    featureMetadata: metadataOf(feature, logins),
  };
}

function metadataOf(
  { name: featureName, owner, expiresAt }: CompleteFeature,
  logins: ReadonlyMap<number, string>,
): ExportDocument['featureMetadata'] {
  const name = owner?.type === 'user' ? logins.get(owner.id) : owner?.name;
  if (name === undefined && expiresAt === null) return [];
  return [
    {
      featureName,
      ...(owner && name !== undefined && { owner: { type: owner.type, name } }),
      ...(expiresAt !== null && { expiresAt }),
    },
  ];
}

/** Reads an export, a few features at a time. `db` is a snapshot, so that all reads see one state of the database. */
async function* readParts(
  db: Db,
  actor: Actor,
  request: ExportRequest,
): AsyncGenerator<Partial<ExportDocument>> {
  const { environment } = request;
  const selection = selectionOf(request);
  const names = await listSelected(db, selection, actor.sees);
  const faults = await requestFaults(db, actor, request, selection, new Set(names));
  if (faults.length > 0) throw badData(faults);

  const fields = new Set<string>();
  const segments = new Set<number>();
  const tagTypes = new Set<string>();
  for (let from = 0; from < names.length; from += batchSize) {
    const batch = names.slice(from, from + batchSize);
    const features = await readFeatures(db, { names: batch }, { environment });
    const logins = await listLogins(
      db,
      features.flatMap(({ owner }) => (owner?.type === 'user' ? [owner.id] : [])),
    );
    for (const feature of features) {
      const parts = partsOf(feature, environment, logins);
      for (const strategy of parts.featureStrategies) {
        for (const id of strategy.segments) segments.add(id);
        for (const field of fieldsOfStrategy(strategy)) fields.add(field);
      }
      for (const state of parts.featureEnvironments) {
        for (const field of fieldsOfVariants(state)) fields.add(field);
      }
      for (const { type } of feature.tags) tagTypes.add(type);
      yield parts;
    }
  }
  yield {
    contextFields: await listContextFieldsNamed(db, [...fields]),
    segments: await listSegmentsWithIds(db, [...segments]),
    tagTypes: await listTagTypesNamed(db, [...tagTypes]),
  };
}

/** Reads an export as one document. `db` is a snapshot. */
export async function readExport(
  db: Db,
  actor: Actor,
  request: ExportRequest,
): Promise<ExportDocument> {
  const document = listsOf<unknown[]>(() => []);
  for await (const parts of readParts(db, actor, request)) {
    for (const [list, items] of listed(parts)) document[list].push(...items);
  }
  return document as ExportDocument;
}

const listed = (parts: Partial<ExportDocument>) =>
  Object.entries(parts) as [List, readonly object[]][];

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

/** The characters of a block. */
const blockCharacters = 64 * 1024;

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
  const counts: Record<List, number> = listsOf(() => 0);
  const texts = listsOf<{ blocks: Buffer[]; text: string }>(() => ({ blocks: [], text: '' }));
  const slices = createSlices();
  for await (const parts of readParts(db, actor, request)) {
    if (slices.isOver()) await slices.pause();
    for (const { name, project } of parts.features ?? []) {
      projects.add(project);
      if (firstFeatures.length < maxNamed) firstFeatures.push(name);
    }
    for (const [list, items] of listed(parts)) {
      const own = texts[list];
      for (const item of items) {
        own.text += (counts[list] > 0 ? ',' : '') + JSON.stringify(item);
        counts[list] += 1;
      }
      if (own.text.length < blockCharacters) continue;
      own.blocks.push(Buffer.from(own.text));
      own.text = '';
    }
  }
  const blocks = Object.entries(texts).flatMap(([list, own], nth) => [
    Buffer.from(`${nth === 0 ? '{' : '],'}"${list}":[`),
    ...own.blocks,
    Buffer.from(own.text),
  ]);
  return { facts: { projects, firstFeatures, counts }, blocks: [...blocks, Buffer.from(']}')] };
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
    faults.push({ path, message: `${what} not found` });
  if (!(await findEnvironment(db, environment))) {
    nothing('/body/environment', `Environment '${environment}'`);
  }
  if (selection.names) {
    for (const [index, name] of features.entries()) {
      if (!found.has(name)) nothing(`/body/features/${index}`, `Feature '${name}'`);
    }
  }
  if (selection.project !== undefined && project !== undefined) {
    const exists = sees(actor, project) && (await findActiveProject(db, project));
    if (!exists) nothing('/body/project', `Project '${project}'`);
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
