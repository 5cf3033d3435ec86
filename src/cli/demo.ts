import { story } from '../demo/story.ts';
import { prepareInstallation, transactOn } from '../installation.ts';
import { systemActor } from '../modules/access/index.ts';
import { listProjects } from '../modules/projects/index.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabase } from './with-database.ts';

const dayMs = 86_400_000;

export async function run(): Promise<void> {
  const told = await withDatabase(async ({ db, transact, config }) => {
    const { generatedToken } = await prepareInstallation(transact, config);
    if (generatedToken) {
      process.stdout.write(`Admin token (shown this once, keep it): ${generatedToken}\n`);
    }
    const projects = await listProjects(db, { sees: 'all', archived: false });
    if (projects.length > 1) {
      throw new StartError('The demo is for a fresh installation; this one has projects already.');
    }
    const now = Date.now();
    const chapters = [...story].sort((a, b) => b.daysAgo - a.daysAgo);
    for (const { daysAgo, tell } of chapters) {
      // The only place that sets the clock: history has to lie in the past.
      const then = new Date(now - daysAgo * dayMs);
      await transactOn(db, () => then)(systemActor, tell);
    }
    return chapters.length;
  });
  process.stdout.write(`The demo is told in ${told} chapters. Look at /api/admin/search/events.\n`);
}
