import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import type { RunHook } from '../../../platform/hooks.ts';
import { roleIds } from '../../access/gate/index.ts';
import {
  addEnvironment,
  archiveProject,
  changeProject,
  createProject,
  removeDefaultStrategy,
  removeEnvironment,
  reviveProject,
  setChangeRequestConfig,
  setDefaultStrategy,
} from '../../catalogue/projects/index.ts';
import type { ProjectDocument, RulesDocument } from '../document.ts';
import { defineImport } from '../events.ts';
import {
  findFeatureIn,
  listAccountIds,
  listGroupIds,
  listProjectEnvironments,
  listRoleIds,
  listSegmentIds,
} from '../queries.ts';
import { asOf } from '../run/as-of.ts';
import { shapeOf } from '../run/features.ts';
import { type Item, isSameApartFromCreation, type KindDefinition, oneByOne } from './kind.ts';

/** Without its naming pattern and its limit, which its features may break. */
async function writeProject(tx: Tx, { before, after }: Item<'project'>): Promise<void> {
  const { id, name, description, mode, defaultStickiness, linkTemplates, environments } = after;
  const settings = {
    ...{ name, description, mode, defaultStickiness },
    linkTemplates: linkTemplates.map((each) => ({ ...each })),
  };
  const names = environments.map((each) => each.name);
  if (!before) {
    const input = { id, ...settings, environments: names };
    await createProject(await asOf(tx, after), input, { keepsHistory: true });
    return;
  }
  if (before.archived && !after.archived) await reviveProject(tx, id);
  await changeProject(tx, id, settings);
  const own = new Set(await listProjectEnvironments(tx.db, id));
  for (const environment of names) {
    if (!own.has(environment))
      await addEnvironment(tx, id, { environment, changeRequestsEnabled: false });
  }
}

/**
 * An import enables change requests, but never disables them, nor takes rules away: they may have been set here on
 * purpose.
 */
const withApprovalsOf = (wanted: ProjectDocument, own: ProjectDocument): ProjectDocument => ({
  ...own,
  environments: own.environments.map(({ requiredApprovals, rules, ...environment }) => {
    const there = wanted.environments.find(({ name }) => name === environment.name);
    return {
      ...environment,
      ...(there?.requiredApprovals !== undefined &&
        requiredApprovals !== undefined && { requiredApprovals }),
      ...(there?.rules !== undefined && rules !== undefined && { rules }),
    };
  }),
});

const known = (ids: ReadonlyMap<string, number>, names: readonly string[]): number[] => [
  ...new Set(names.flatMap((name) => ids.get(name) ?? [])),
];

/** The rules with the approvers who exist here. */
async function rulesHere(tx: Tx, { approvers, ...rules }: RulesDocument) {
  const { users, groups, roles } = approvers;
  const ids = {
    users: [...new Set(await listAccountIds(tx.db, users))],
    groups: known(await listGroupIds(tx.db), groups),
    roles: known(await listRoleIds(tx.db), roles),
  };
  const isAnyone = users.length + groups.length + roles.length === 0;
  const isNoOne = ids.users.length + ids.groups.length + ids.roles.length === 0;
  // An empty list would let everyone approve.
  if (isNoOne && !isAnyone) ids.roles.push(roleIds.admin);
  return { ...rules, approvers: ids };
}

const withoutArchiving = ({ archivedAt: _, ...project }: ProjectDocument) => project;

export const project: KindDefinition<'project'> = {
  event: defineImport('project-import', 'project'),
  // Access is a kind of its own.
  listIn: ({ projects }) => projects.map((each) => ({ ...each, access: [] })),
  nameOf: ({ id }) => id,
  // A source other than Burgee does not have the settings in `ours`.
  isSame: ({ ours, ...own }, wanted) =>
    isSameApartFromCreation(
      withoutArchiving(withApprovalsOf(wanted, wanted.ours && ours ? { ...own, ours } : own)),
      withoutArchiving(wanted),
    ),
  about: ({ id }) => ({ project: id }),
  run: oneByOne(writeProject),
};

/**
 * Takes environments away that the project does not have there. Its features have lost what they had in them by now, except
 * those that were created here.
 */
async function removeEnvironments(
  tx: Tx,
  { before, after }: Item<'project'>,
  runHook: RunHook,
): Promise<void> {
  const project = after.id;
  const wanted = new Set(after.environments.map(({ name }) => name));
  for (const { name: environment } of before?.environments ?? []) {
    if (wanted.has(environment)) continue;
    const user = await findFeatureIn(tx.db, project, environment);
    if (user !== undefined) {
      throw invalidOperation(
        `the project in the source doesn't have the environment '${environment}', but the feature '${user}', which was created in Burgee, uses it`,
      );
    }
    await removeEnvironment(tx, { project, environment }, runHook);
  }
}

/** Writes what comes after the features of a project: patterns and limits, which they may break already. */
export async function finishProject(
  tx: Tx,
  item: Item<'project'>,
  runHook: RunHook,
): Promise<void> {
  const { after, before } = item;
  const segmentIds = await listSegmentIds(tx.db);
  await changeProject(tx, after.id, {
    featureLimit: after.featureLimit,
    featureNaming: after.featureNaming ?? { pattern: null },
    ...after.ours,
  });
  for (const { name: environment, defaultStrategy, ...approval } of after.environments) {
    const address = { project: after.id, environment };
    const { requiredApprovals, rules } = approval;
    if (requiredApprovals !== undefined) {
      const config = {
        ...{ changeRequestsEnabled: true, requiredApprovals },
        ...(rules && { rules: await rulesHere(tx, rules) }),
      };
      await setChangeRequestConfig(tx, address, config, runHook);
    }
    const own = before?.environments.find((each) => each.name === environment);
    if (isDeepStrictEqual(own?.defaultStrategy ?? null, defaultStrategy)) continue;
    if (!defaultStrategy) {
      await removeDefaultStrategy(tx, address);
      continue;
    }
    const { sortOrder: _, ...shape } = shapeOf(defaultStrategy, segmentIds);
    const strategy = { ...shape, name: 'flexibleRollout' as const };
    await setDefaultStrategy(tx, address, strategy, { isStored: true });
  }
  await removeEnvironments(tx, item, runHook);
  if (!after.archived) return;
  const then = await asOf(tx, { createdAt: after.archivedAt });
  await archiveProject(then, after.id);
}
