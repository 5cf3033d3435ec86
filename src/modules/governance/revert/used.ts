import { counted } from '../../../platform/counted.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import { joinAnd } from '../../../platform/joined.ts';
import { listUses } from '../../catalogue/uses/index.ts';
import {
  findContent,
  findHoldingsOf,
  findUsersOfEnvironment,
  listFeaturesIn,
} from './used-queries.ts';

/** A sentence names at most so many of each. */
const most = 5;

const named = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`the ${what}${names.length === 1 ? '' : 's'} ${joinAnd(names, most)}`];

/** What was made since would be lost with the thing, though no one asked to revert it. */
function refuseUsed(verb: string, users: readonly string[]): void {
  if (users.length > 0) throw invalidOperation(`${verb} ${joinAnd(users)}. Revert that, too`);
}

export async function refuseUsedProject(tx: Tx, project: string): Promise<void> {
  const { features, segments, tokens } = await findContent(tx.db, project);
  refuseUsed('it has', [
    ...named('feature', features),
    ...named('segment', segments),
    ...(tokens > 0 ? [counted(tokens, 'API token')] : []),
  ]);
}

export async function refuseUsedInProject(
  tx: Tx,
  membership: { readonly project: string; readonly environment: string },
): Promise<void> {
  const features = await listFeaturesIn(tx.db, membership);
  refuseUsed('it has strategies, variants, or enabled features of', named('feature', features));
}

export async function refuseUsedEnvironment(tx: Tx, environment: string): Promise<void> {
  const { roles, tokens } = await findUsersOfEnvironment(tx.db, environment);
  refuseUsed('it is used by', [
    ...named('role', roles),
    ...(tokens > 0 ? [counted(tokens, 'API token')] : []),
  ]);
}

export async function refuseUsedGroup(tx: Tx, group: number): Promise<void> {
  const { projects, features } = await findHoldingsOf(tx.db, group);
  refuseUsed('it has', [
    ...named('project', projects).map((names) => `roles in ${names}`),
    ...named('feature', features).map((names) => `ownership of ${names}`),
  ]);
}

/** SDKs go on without the definition, but whoever edits these constraints misses it. */
export async function refuseUsedField(tx: Tx, name: string): Promise<void> {
  const uses = await listUses(tx.db, tx.actor, 'contextField', name);
  refuseUsed('it is used by', [
    ...named(
      'feature',
      uses.features.map((feature) => feature.name),
    ),
    ...named(
      'project',
      uses.projects.map(({ id }) => id),
    ),
    ...named(
      'segment',
      uses.segments.map((segment) => segment.name),
    ),
  ]);
}
