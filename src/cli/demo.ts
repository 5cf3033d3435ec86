import { beginsDaysAgo, story } from '../demo/story.ts';
import { tellStory, transactAt } from '../demo/tell.ts';
import { prepareInstallation } from '../installation.ts';
import { createGate } from '../modules/access/index.ts';
import { listProjects } from '../modules/projects/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { sayGenerated } from './say-generated.ts';
import { withDatabase } from './with-database.ts';

export async function run(): Promise<void> {
  await withDatabase(async ({ db, transact, config, encryptionKeys }) => {
    const projects = await listProjects(db, { sees: 'all', archived: false });
    if (projects.length > 1) {
      throw new StartError('The demo is for a fresh installation; this one has projects already.');
    }
    const now = systemClock();
    // What was started already keeps the date of its start.
    const starting = projects.length === 0 ? transactAt(db, now, beginsDaysAgo) : transact;
    const report = await prepareInstallation(starting, { ...config, encryptionKeys });
    sayGenerated(report, config.firstAdministrator);
    const log = createLogger(config.logLevel);
    const gate = createGate({ db, transact, clock: systemClock, log, settings: config });
    await tellStory(db, gate, now, story);
  });
  process.stdout.write(
    `The demo is told in ${story.length} chapters. Look at /api/admin/search/events.\n`,
  );
}
