import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { blockerNames } from '../../../platform/blockers.ts';
import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, nameExists, notFound } from '../../../platform/errors.ts';
import { record } from '../../events/index.ts';
import { listUses, type Uses } from '../uses/index.ts';
import { builtInTypes, undeletableTypes } from './built-in.ts';
import type {
  CreateStrategyType,
  StrategyType,
  StrategyTypeChange,
  UsedStrategyType,
} from './contract.ts';
import {
  type StrategyTypeEventData,
  strategyCreated,
  strategyDeleted,
  strategyDeprecated,
  strategyReactivated,
  strategyUpdated,
} from './events.ts';
import {
  deleteStrategyType,
  findStrategyType,
  insertStrategyTypes,
  listFeaturesUsing,
  listStrategyTypes,
  lockStrategyType,
  type StrategyTypeRow,
  type UsedStrategyTypeRow,
  updateStrategyType,
} from './queries.ts';

/** After the built-in types. */
const defaultSortOrder = 9999;

const factsOf = (type: StrategyTypeRow): StrategyTypeEventData => ({
  name: type.name,
  ...(type.title !== null && { title: type.title }),
  description: type.description,
  parameters: type.parameters,
  editable: !type.builtIn,
  deprecated: type.deprecated,
});

const answerOf = (type: StrategyTypeRow): StrategyType => ({
  ...factsOf(type),
  displayName: type.title ?? type.name,
});

const usedAnswerOf = ({ usedInFeatures, ...type }: UsedStrategyTypeRow): UsedStrategyType => ({
  ...answerOf(type),
  usedInFeatures,
});

/** All types, each with its number of features that the actor may see. */
export async function listStrategyTypesFor(db: Db, { sees }: Actor): Promise<UsedStrategyType[]> {
  return (await listStrategyTypes(db, sees)).map(usedAnswerOf);
}

export async function getStrategyTypeFor(
  db: Db,
  { sees }: Actor,
  name: string,
): Promise<UsedStrategyType> {
  const type = await findStrategyType(db, sees, name);
  if (!type) throw notFound('strategy type', name);
  return usedAnswerOf(type);
}

export async function listStrategyTypeUsesFor(db: Db, actor: Actor, name: string): Promise<Uses> {
  await getStrategyTypeFor(db, actor, name);
  return listUses(db, actor, 'strategyType', name);
}

/** Applies a change to a type. Omitted properties stay. */
const applyChange = (type: StrategyTypeRow, change: StrategyTypeChange): StrategyTypeRow => ({
  ...type,
  title: change.title === undefined ? type.title : change.title || null,
  description: change.description === undefined ? type.description : change.description,
  parameters:
    change.parameters?.map((parameter) => ({
      name: parameter.name,
      type: parameter.type,
      description: parameter.description ?? '',
      required: parameter.required ?? false,
    })) ?? type.parameters,
});

export async function createStrategyType(tx: Tx, input: CreateStrategyType): Promise<StrategyType> {
  const empty = {
    name: input.name,
    title: null,
    description: null,
    parameters: [],
    builtIn: false,
    deprecated: false,
  };
  const type = applyChange(empty, input);
  await explained(insertStrategyTypes(tx, [{ ...type, sortOrder: defaultSortOrder }]), {
    strategy_types_pkey: () => nameExists(`A strategy type named '${input.name}' already exists`),
  });
  record(tx, strategyCreated({ data: factsOf(type) }));
  return answerOf(type);
}

/** Gets and locks a type. */
async function getLocked(
  tx: Tx,
  name: string,
  purpose: 'change' | 'delete',
): Promise<StrategyTypeRow> {
  const type = await lockStrategyType(tx, name, purpose);
  if (!type) throw notFound('strategy type', name);
  return type;
}

export async function changeStrategyType(
  tx: Tx,
  name: string,
  change: StrategyTypeChange,
): Promise<void> {
  const before = await getLocked(tx, name, 'change');
  refuseBuiltIn(before);
  const after = applyChange(before, change);
  if (isDeepStrictEqual(before, after)) return;
  await updateStrategyType(tx, after);
  record(tx, strategyUpdated({ data: factsOf(after) }));
}

export async function deprecateStrategyType(tx: Tx, name: string): Promise<void> {
  const type = await getLocked(tx, name, 'change');
  if (undeletableTypes.has(name)) {
    throw invalidOperation(
      `The strategy type '${name}' cannot be deprecated, because new features need it`,
    );
  }
  if (type.deprecated) return;
  await updateStrategyType(tx, { ...type, deprecated: true });
  record(tx, strategyDeprecated({ data: { name } }));
}

export async function reactivateStrategyType(tx: Tx, name: string): Promise<void> {
  const type = await getLocked(tx, name, 'change');
  if (!type.deprecated) return;
  await updateStrategyType(tx, { ...type, deprecated: false });
  record(tx, strategyReactivated({ data: { name } }));
}

export async function removeStrategyType(tx: Tx, name: string): Promise<void> {
  // Adding a strategy locks its type through the foreign key. So this lock waits for additions and blocks new ones,
  // and the uses read afterwards are final.
  const type = await getLocked(tx, name, 'delete');
  refuseBuiltIn(type);
  await refuseUsed(tx, name);
  await deleteStrategyType(tx, name);
  record(tx, strategyDeleted({ data: { name } }));
}

function refuseBuiltIn({ name, builtIn }: StrategyTypeRow): void {
  if (builtIn) {
    throw invalidOperation(
      `The strategy type '${name}' is built in and cannot be changed or deleted`,
    );
  }
}

async function refuseUsed(tx: Tx, name: string): Promise<void> {
  const features = await listFeaturesUsing(tx.db, name);
  if (features.length === 0) return;
  const users = blockerNames(features, tx.actor, {
    scopeOf: ({ project }) => project,
    nameOf: (feature) => (feature.archivedAt ? `${feature.name} (archived)` : feature.name),
    unseen: 'features that you cannot see',
  });
  throw invalidOperation(
    `The strategy type '${name}' is in use by ${users.join(', ')}. Remove those strategies first`,
  );
}

/** Built-in types are part of the product, so nothing is recorded. */
export async function createBuiltInTypes(tx: Tx): Promise<void> {
  await insertStrategyTypes(
    tx,
    builtInTypes.map((type, sortOrder) => ({ ...type, sortOrder })),
  );
}
