import type { Db } from '../../../../platform/db/database.ts';
import type { Viewer } from '../viewer.ts';
import type { ListedProject } from './contract.ts';
import { listCountedProjects } from './queries.ts';

export const listProjectsFor = (
  db: Db,
  { actor: { id: userId, sees }, baseUrl, now }: Viewer,
  { archived }: { archived: boolean },
): Promise<ListedProject[]> => listCountedProjects(db, { archived, now, sees, userId, baseUrl });
