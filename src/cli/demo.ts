import { story } from '../demo/story.ts';
import { prepareInstallation, transactOn } from '../installation.ts';
import { systemActor } from '../modules/access/index.ts';
import { listProjects } from '../modules/projects/index.ts';
import { findPersonForSignIn } from '../modules/users/index.ts';
import type { Actor, Db } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { sayGenerated } from './say-generated.ts';
import { withDatabase } from './with-database.ts';

const dayMs = 86_400_000;

/** Whoever did it, free to do all that the story says. */
async function authorOf(db: Db, email: string | undefined): Promise<Actor> {
  const person = email === undefined ? undefined : await findPersonForSignIn(db, email);
  if (!person) return systemActor;
  return { ...systemActor, id: person.id, name: email as string, kind: 'person' };
}

export async function run(): Promise<void> {
  const told = await withDatabase(async ({ db, transact, config }) => {
    sayGenerated(await prepareInstallation(transact, config), config.firstAdministrator);
    const projects = await listProjects(db, { sees: 'all', archived: false });
    if (projects.length > 1) {
      throw new StartError('The demo is for a fresh installation; this one has projects already.');
    }
    const now = Date.now();
    const chapters = [...story].sort((a, b) => b.daysAgo - a.daysAgo);
    for (const { daysAgo, by, tell } of chapters) {
      // The only place that sets the clock: history has to lie in the past.
      const then = new Date(now - daysAgo * dayMs);
      await transactOn(db, () => then)(await authorOf(db, by), tell);
    }
    return chapters.length;
  });
  process.stdout.write(`The demo is told in ${told} chapters. Look at /api/admin/search/events.\n`);
}
