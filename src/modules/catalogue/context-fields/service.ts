import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { badData, invalidOperation, nameExists, notFound } from '../../../platform/errors.ts';
import { record } from '../../events/index.ts';
import { listUses, type Uses } from '../uses/index.ts';
import { completeConstraint, type SetConstraint } from './constraint-schema.ts';
import {
  type ContextField,
  type ContextFieldChange,
  type ContextUsage,
  type CreateContextField,
  type LegalValue,
  maxLegalValues,
  type SetLegalValue,
  type UsedContextField,
} from './contract.ts';
import { contextFieldCreated, contextFieldDeleted, contextFieldUpdated } from './events.ts';
import { legalValueFaultsOf } from './legal-values.ts';
import {
  deleteContextField,
  findUsedContextField,
  hasContextField,
  insertContextField,
  listContextUsage,
  listUsedContextFields,
  lockContextField,
  updateContextField,
} from './queries.ts';

/** After the built-in fields. The reference uses the same number, and clients rely on it. */
const defaultSortOrder = 10;

const what = 'context field';
const taken = (name: string) => nameExists(`A context field named '${name}' already exists`);

/** All fields, each with its number of uses in features that the actor may see. */
export const listContextFieldsFor = (db: Db, { sees }: Actor): Promise<UsedContextField[]> =>
  listUsedContextFields(db, sees);

export async function getContextFieldFor(
  db: Db,
  { sees }: Actor,
  name: string,
): Promise<UsedContextField> {
  const field = await findUsedContextField(db, sees, name);
  if (!field) throw notFound(what, name);
  return field;
}

/**
 * Works for unknown names too: constraints may use a field before it exists, and the UI asks while someone types.
 */
export const listContextUsageFor = (
  db: Db,
  { sees }: Actor,
  name: string,
): Promise<ContextUsage[]> => listContextUsage(db, sees, name);

export async function listContextFieldUsesFor(db: Db, actor: Actor, name: string): Promise<Uses> {
  if (!(await hasContextField(db, name))) throw notFound(what, name);
  return listUses(db, actor, 'contextField', name);
}

const legalValueOf = ({ value, description }: SetLegalValue): LegalValue => ({
  value,
  ...(description && { description }),
});

/** Applies a change to a field. Omitted properties stay. */
function applyChange(
  field: ContextField,
  { description, stickiness, sortOrder, legalValues }: ContextFieldChange,
): ContextField {
  return {
    ...field,
    description: description === undefined ? field.description : description,
    stickiness: stickiness ?? field.stickiness,
    sortOrder: sortOrder ?? field.sortOrder,
    legalValues: legalValues?.map(legalValueOf) ?? field.legalValues,
  };
}

/** `createdAt`: that of a field that comes back. */
export async function createContextField(
  tx: Tx,
  input: CreateContextField,
  createdAt: string = tx.now.toISOString(),
): Promise<ContextField> {
  const unset: ContextField = {
    name: input.name,
    description: null,
    stickiness: false,
    sortOrder: defaultSortOrder,
    legalValues: [],
    createdAt,
  };
  const field = applyChange(unset, input);
  await explained(insertContextField(tx, field), { context_fields_pkey: () => taken(input.name) });
  record(tx, contextFieldCreated({ data: field }));
  return field;
}

/** Throws what creating a field with this name would throw. */
export async function validateName(db: Db, name: string): Promise<void> {
  if (await hasContextField(db, name)) throw taken(name);
}

async function getContextField(
  tx: Tx,
  name: string,
  purpose: 'change' | 'delete',
): Promise<ContextField> {
  const field = await lockContextField(tx, name, purpose);
  if (!field) throw notFound(what, name);
  return field;
}

async function change(tx: Tx, before: ContextField, input: ContextFieldChange): Promise<void> {
  const after = applyChange(before, input);
  if (isDeepStrictEqual(before, after)) return;
  await updateContextField(tx, after);
  record(tx, contextFieldUpdated({ data: after, preData: before }));
}

export const changeContextField = async (
  tx: Tx,
  name: string,
  input: ContextFieldChange,
): Promise<void> => change(tx, await getContextField(tx, name, 'change'), input);

/** Adds a value at the end. An existing value keeps its position. */
export async function addLegalValue(tx: Tx, name: string, input: SetLegalValue): Promise<void> {
  const field = await getContextField(tx, name, 'change');
  const isExisting = field.legalValues.some(({ value }) => value === input.value);
  if (!isExisting && field.legalValues.length >= maxLegalValues) {
    throw invalidOperation(
      `The context field '${name}' has reached the limit of ${maxLegalValues} legal values`,
    );
  }
  const legalValues = isExisting
    ? field.legalValues.map((legal) => (legal.value === input.value ? input : legal))
    : [...field.legalValues, input];
  await change(tx, field, { legalValues });
}

export async function removeLegalValue(tx: Tx, name: string, value: string): Promise<void> {
  const field = await getContextField(tx, name, 'change');
  const legalValues = field.legalValues.filter((legal) => legal.value !== value);
  if (legalValues.length === field.legalValues.length) throw notFound('legal value', value);
  await change(tx, field, { legalValues });
}

/** Even if it is used: SDKs go on evaluating its constraints. */
export async function removeContextField(tx: Tx, name: string): Promise<void> {
  const field = await getContextField(tx, name, 'delete');
  await deleteContextField(tx, name);
  record(tx, contextFieldDeleted({ preData: field }));
}

/** Throws what saving this constraint would throw. */
export async function validateConstraint(db: Db, input: SetConstraint): Promise<void> {
  const faults = await legalValueFaultsOf(db, completeConstraint(input), '/body');
  if (faults.length > 0) throw badData(faults);
}

/** The fields of a new installation: those that every SDK fills in by itself. */
export async function createFirstContextFields(tx: Tx): Promise<void> {
  const first: CreateContextField[] = [
    { name: 'environment', description: 'Environment the application runs in' },
    { name: 'userId', description: 'ID of the user', stickiness: true },
    { name: 'appName', description: 'Name of the application' },
    { name: 'currentTime', description: 'Time of evaluation' },
    { name: 'sessionId', description: 'ID of the session', stickiness: true },
  ];
  for (const [sortOrder, field] of first.entries()) {
    await createContextField(tx, { ...field, sortOrder });
  }
}
