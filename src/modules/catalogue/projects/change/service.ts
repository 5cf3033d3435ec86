import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { factsOf, projectUpdated } from '../events.ts';
import { lockActiveProject } from '../lock.ts';
import type { ProjectChange } from '../project-schema.ts';
import { applyChange } from './apply.ts';
import { updateProject } from './queries.ts';

export async function changeProject(tx: Tx, id: string, change: ProjectChange): Promise<void> {
  const before = await lockActiveProject(tx, id);
  const after = applyChange(before, change);
  if (isDeepStrictEqual(before, after)) return;
  await updateProject(tx, after);
  record(tx, projectUpdated({ project: id, data: factsOf(after), preData: factsOf(before) }));
}
