import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, nameExists, notFound } from '../../../platform/errors.ts';
import { defineHook, type RunHook } from '../../../platform/hooks.ts';
import { revokeTokensOf } from '../../access/api-tokens/index.ts';
import {
  copyEnvironmentPermissions,
  removeEnvironmentPermissions,
} from '../../access/roles/index.ts';
import { record } from '../../events/index.ts';
import { listUses, type Uses } from '../uses/index.ts';
import type { CloneEnvironment, Environment, ListedEnvironment } from './contract.ts';
import { environmentCreated, environmentDeleted, environmentUpdated } from './events.ts';
import {
  countEnvironments,
  deleteEnvironment,
  findEnvironment,
  insertEnvironment,
  isNameTaken,
  listEnvironments,
  listProjectsWith,
  lockEnvironments,
  type Reader,
  updateEnvironment,
} from './queries.ts';

/** Every feature has a state in each of them. Concurrent creations may exceed it by a few. */
export const maxEnvironments = 200;

/** After every environment with a sort order of its own. */
const defaultSortOrder = 9999;

const taken = (name: string) => nameExists(`An environment named '${name}' already exists`);

/** All environments, each with its number of projects that the actor may see. */
export const listEnvironmentsFor = (db: Db, reader: Reader): Promise<ListedEnvironment[]> =>
  listEnvironments(db, reader);

export async function getEnvironmentFor(
  db: Db,
  reader: Reader,
  name: string,
): Promise<ListedEnvironment> {
  const environment = await findEnvironment(db, reader, name);
  if (!environment) throw notFound('environment', name);
  return environment;
}

export async function listEnvironmentUsesFor(db: Db, actor: Actor, name: string): Promise<Uses> {
  if (!(await isNameTaken(db, name))) throw notFound('environment', name);
  return listUses(db, actor, 'environment', name);
}

export interface NewEnvironment {
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly sortOrder?: number;
  /** Null or omitted: none. */
  readonly requiredApprovals?: number | null;
}

export async function createEnvironment(
  tx: Tx,
  { name, type, enabled, sortOrder = defaultSortOrder, requiredApprovals }: NewEnvironment,
): Promise<Environment> {
  if ((await countEnvironments(tx.db)) >= maxEnvironments) {
    throw invalidOperation(`The limit of ${maxEnvironments} environments is reached`);
  }
  const environment = await explained(
    insertEnvironment(tx, {
      ...{ name, type, enabled, sortOrder, protected: false },
      ...(requiredApprovals != null && { requiredApprovals }),
    }),
    { environments_pkey: () => taken(name) },
  );
  record(tx, environmentCreated({ environment: name, data: environment }));
  return environment;
}

/** Throws what creating an environment with this name would throw. */
export async function validateName(db: Db, name: string): Promise<void> {
  if (await isNameTaken(db, name)) throw taken(name);
}

/** Gets and locks an environment. */
async function getEnvironment(
  tx: Tx,
  name: string,
  purpose: 'use' | 'change' | 'delete',
): Promise<Environment> {
  const [environment] = await lockEnvironments(tx, [name], purpose);
  if (!environment) throw notFound('environment', name);
  return environment;
}

interface EnvironmentChange extends Partial<Pick<Environment, 'type' | 'enabled' | 'sortOrder'>> {
  /** Null: none. */
  readonly requiredApprovals?: number | null;
}

async function change(tx: Tx, before: Environment, input: EnvironmentChange): Promise<Environment> {
  const { requiredApprovals: had, ...rest } = before;
  const { requiredApprovals = had, ...wanted } = input;
  const after = {
    ...rest,
    ...wanted,
    ...(requiredApprovals != null && { requiredApprovals }),
  };
  if (isDeepStrictEqual(before, after)) return before;
  refuseProtected(before);
  await updateEnvironment(tx, after);
  record(tx, environmentUpdated({ environment: before.name, data: after, preData: before }));
  return after;
}

export const changeEnvironment = async (tx: Tx, name: string, input: EnvironmentChange) =>
  change(tx, await getEnvironment(tx, name, 'change'), input);

export async function switchEnvironment(tx: Tx, name: string, enabled: boolean): Promise<void> {
  await changeEnvironment(tx, name, { enabled });
}

/** Sets the sort order of the named environments. Records nothing for those that already have it. */
export async function orderEnvironments(
  tx: Tx,
  sortOrders: Readonly<Record<string, number>>,
): Promise<void> {
  const names = Object.keys(sortOrders);
  const environments = await lockEnvironments(tx, names, 'change');
  const existing = new Map(environments.map((environment) => [environment.name, environment]));
  const unknown = names.find((name) => !existing.has(name));
  if (unknown !== undefined) throw notFound('environment', unknown);
  for (const environment of environments) {
    const sortOrder = sortOrders[environment.name] ?? environment.sortOrder;
    await change(tx, environment, { sortOrder });
  }
}

/** An environment is cloned. Modules that store data for the original copy it. */
export const cloningEnvironment = defineHook<ClonedEnvironment>(
  'cloningEnvironment',
  'lowest first',
);

interface ClonedEnvironment {
  readonly source: string;
  readonly copy: Environment;
  /** The projects that get the copy; empty: all that have the original. */
  readonly projects: readonly string[];
}

export async function cloneEnvironment(
  tx: Tx,
  source: string,
  { name, type, projects = [], clonePermissions }: CloneEnvironment,
  runHook: RunHook,
): Promise<Environment> {
  const original = await getEnvironment(tx, source, 'use');
  const { enabled, requiredApprovals = null } = original;
  const newType = type ?? original.type;
  const copy = await createEnvironment(tx, { name, type: newType, enabled, requiredApprovals });
  if (clonePermissions) await copyEnvironmentPermissions(tx, source, name);
  await runHook(cloningEnvironment, tx, { source, copy, projects });
  return copy;
}

export async function removeEnvironment(tx: Tx, name: string): Promise<void> {
  const environment = await getEnvironment(tx, name, 'delete');
  refuseProtected(environment);
  const projects = await listProjectsWith(tx.db, name);
  if (projects.length > 0) {
    const names = projects.map(({ id, archivedAt }) => (archivedAt ? `${id} (archived)` : id));
    throw invalidOperation(
      `The environment '${name}' is in use by ${names.join(', ')}. Remove it there first`,
    );
  }
  await revokeTokensOf(tx, { environment: name });
  await removeEnvironmentPermissions(tx, name);
  await deleteEnvironment(tx, name);
  record(tx, environmentDeleted({ environment: name, preData: environment }));
}

function refuseProtected({ name, protected: isProtected }: Environment): void {
  if (isProtected) {
    throw invalidOperation(`The environment '${name}' is protected and cannot be changed`);
  }
}

/** The environments of a new installation. */
export async function createFirstEnvironments(tx: Tx): Promise<void> {
  const first = [
    { name: 'development', type: 'development', sortOrder: 100 },
    { name: 'production', type: 'production', sortOrder: 200 },
  ];
  for (const environment of first) await createEnvironment(tx, { ...environment, enabled: true });
}
