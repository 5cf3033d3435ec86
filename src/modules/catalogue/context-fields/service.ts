import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../platform/db/constraint.ts';
import type { Actor, Db, Tx } from '../../../platform/db/database.ts';
import { badData, invalidOperation, nameExists, notFound } from '../../../platform/errors.ts';
import { record } from '../../events/index.ts';
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

/** Behind those that every installation has; the reference product's, which clients know. */
const usualPlace = 10;

const what = 'context field';
const taken = (name: string) => nameExists(`There already is a context field named '${name}'`);

/** All fields, each with how many of the features that the actor may see ask for it. */
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

/** Of a name that no field has, too: constraints may use one before there is a field, and pages ask while one types. */
export const listContextUsageFor = (
  db: Db,
  { sees }: Actor,
  name: string,
): Promise<ContextUsage[]> => listContextUsage(db, sees, name);

const legalValueOf = ({ value, description }: SetLegalValue): LegalValue => ({
  value,
  ...(description && { description }),
});

/** What a wish makes of a field; what it leaves out stays as it was. */
function changed(
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

export async function createContextField(tx: Tx, wish: CreateContextField): Promise<ContextField> {
  const unset: ContextField = {
    name: wish.name,
    description: null,
    stickiness: false,
    sortOrder: usualPlace,
    legalValues: [],
    createdAt: tx.now.toISOString(),
  };
  const field = changed(unset, wish);
  await explained(insertContextField(tx, field), { context_fields_pkey: () => taken(wish.name) });
  record(tx, contextFieldCreated({ data: field }));
  return field;
}

/** Throws what creating a field of this name would throw. */
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

async function change(tx: Tx, before: ContextField, wish: ContextFieldChange): Promise<void> {
  const after = changed(before, wish);
  if (isDeepStrictEqual(before, after)) return;
  await updateContextField(tx, after);
  record(tx, contextFieldUpdated({ data: after, preData: before }));
}

export const changeContextField = async (
  tx: Tx,
  name: string,
  wish: ContextFieldChange,
): Promise<void> => change(tx, await getContextField(tx, name, 'change'), wish);

/** Adds a value behind the others; one that is there already keeps its place. */
export async function addLegalValue(tx: Tx, name: string, wish: SetLegalValue): Promise<void> {
  const field = await getContextField(tx, name, 'change');
  const known = field.legalValues.some(({ value }) => value === wish.value);
  if (!known && field.legalValues.length >= maxLegalValues) {
    throw invalidOperation(
      `The context field '${name}' has ${maxLegalValues} legal values, as many as a field can have`,
    );
  }
  const legalValues = known
    ? field.legalValues.map((legal) => (legal.value === wish.value ? wish : legal))
    : [...field.legalValues, wish];
  await change(tx, field, { legalValues });
}

export async function removeLegalValue(tx: Tx, name: string, value: string): Promise<void> {
  const field = await getContextField(tx, name, 'change');
  const legalValues = field.legalValues.filter((legal) => legal.value !== value);
  if (legalValues.length === field.legalValues.length) throw notFound('legal value', value);
  await change(tx, field, { legalValues });
}

/** One in use too: SDKs go on evaluating the constraints on it. */
export async function removeContextField(tx: Tx, name: string): Promise<void> {
  const field = await getContextField(tx, name, 'delete');
  await deleteContextField(tx, name);
  record(tx, contextFieldDeleted({ preData: field }));
}

/** Throws what setting this constraint would throw. */
export async function validateConstraint(db: Db, wish: SetConstraint): Promise<void> {
  const faults = await legalValueFaultsOf(db, completeConstraint(wish), '/body');
  if (faults.length > 0) throw badData(faults);
}

/** What an empty installation begins with: the fields that every SDK fills in by itself. */
export async function createFirstContextFields(tx: Tx): Promise<void> {
  const first: CreateContextField[] = [
    { name: 'environment', description: 'The environment that the application runs in' },
    { name: 'userId', description: 'Who uses the application', stickiness: true },
    { name: 'appName', description: 'The name of the application' },
    { name: 'currentTime', description: 'When the feature is evaluated' },
    { name: 'sessionId', description: 'The session of the user', stickiness: true },
  ];
  for (const [sortOrder, field] of first.entries()) {
    await createContextField(tx, { ...field, sortOrder });
  }
}
