import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, nameExists } from '../../../../platform/errors.ts';
import { record, reserveFirstEventId } from '../../../events/index.ts';
import { lockEnvironments } from '../../environments/index.ts';
import { type ChangeRequestSettings, settingFacts } from '../change-requests/settings.ts';
import type { DefaultStrategy } from '../environments/default-strategy-schema.ts';
import { insertMemberships } from '../environments/queries.ts';
import {
  changeRequestConfigurationUpdated,
  defaultStrategyUpdated,
  factsOf,
  projectCreated,
} from '../events.ts';
import { refuseBeyondLimit } from '../limits.ts';
import type { ProjectDraft } from '../queries.ts';
import { insertProject, updateFirstEvent } from './queries.ts';

/** An environment that a deleted project had, with its settings there. */
export interface RestoredEnvironment extends ChangeRequestSettings {
  readonly name: string;
  readonly defaultStrategy: DefaultStrategy | null;
}

/** What the event of a creation says about the approvals of an environment. */
const createdWith = ({
  changeRequestsEnabled,
  requiredApprovals,
}: ChangeRequestSettings): ChangeRequestSettings => ({
  changeRequestsEnabled,
  requiredApprovals: changeRequestsEnabled ? requiredApprovals : null,
  rules: null,
});

/**
 * Brings a deleted project back with its environments, default strategies, and rules for approvals. It has no members,
 * and what the log says about it from before stays with administrators, as of every deleted project.
 */
export async function restoreProject(
  tx: Tx,
  draft: ProjectDraft,
  createdAt: string,
  environments: readonly RestoredEnvironment[],
): Promise<void> {
  await refuseBeyondLimit(tx);
  const names = environments.map(({ name }) => name);
  const found = new Set((await lockEnvironments(tx, names, 'use')).map(({ name }) => name));
  const gone = names.find((name) => !found.has(name));
  if (gone !== undefined) throw invalidOperation(`the environment '${gone}' was deleted`);
  const project = await insertProject(tx, draft, new Date(createdAt));
  if (!project) throw nameExists(`A project with the ID '${draft.id}' already exists`);
  if (environments.length > 0) {
    await insertMemberships(
      tx,
      environments.map(({ name, ...settings }) => ({
        ...{ project: draft.id, environment: name },
        ...settings,
      })),
    );
  }
  const changeRequestEnvironments = environments
    .filter(({ changeRequestsEnabled }) => changeRequestsEnabled)
    .map(({ name, requiredApprovals }) => ({ name, requiredApprovals }));
  record(
    tx,
    projectCreated({
      project: draft.id,
      data: {
        ...factsOf(project),
        environments: names,
        ...(changeRequestEnvironments.length > 0 && { changeRequestEnvironments }),
      },
    }),
  );
  for (const { name: environment, defaultStrategy, ...settings } of environments) {
    const membership = { project: draft.id, environment };
    const before = createdWith(settings);
    if (!isDeepStrictEqual(before, settings)) {
      const facts = { data: settingFacts(settings), preData: settingFacts(before) };
      record(tx, changeRequestConfigurationUpdated({ ...membership, ...facts }));
    }
    if (defaultStrategy) {
      record(tx, defaultStrategyUpdated({ ...membership, data: defaultStrategy }));
    }
  }
  const firstEvent = await reserveFirstEventId(tx, draft.id);
  if (firstEvent > 0) await updateFirstEvent(tx, draft.id, firstEvent);
}
