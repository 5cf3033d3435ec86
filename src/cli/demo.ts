import { relative } from 'node:path';
import type { Config } from '../app/config.ts';
import { prepareInstallation } from '../app/installation.ts';
import { findIdOf } from '../demo/people.ts';
import { runStory, transactAt } from '../demo/run-story.ts';
import { beginsDaysAgo, story } from '../demo/story.ts';
import { createGate } from '../modules/access/gate/index.ts';
import { listProjects } from '../modules/catalogue/projects/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { printCredentials } from './print-credentials.ts';
import { withDatabase } from './with-database.ts';

const notFresh = ({ databaseUrl }: Config) =>
  new StartError(
    databaseUrl === undefined
      ? 'The demo needs a new installation, but this one already has projects. Use a separate folder: DATA_DIR=demo-data npx burgee demo && DATA_DIR=demo-data npm start'
      : 'The demo needs a new installation, but this one already has projects. Set DATABASE_URL to an empty database, or unset it and set DATA_DIR.',
  );

/** Returns the settings that start a server on the demo's database. */
function settingsOf({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== undefined) return '';
  const folder = relative(process.cwd(), dataDir);
  return folder === 'data' ? '' : `DATA_DIR=${folder.startsWith('..') ? dataDir : folder} `;
}

export const demo = command({
  async run() {
    const { settings, steps } = await withDatabase(
      async ({ db, transact, config, encryptionKeys }) => {
        const projects = await listProjects(db, { sees: 'all', archived: false });
        if (projects.length > 1) throw notFresh(config);
        const now = systemClock();
        // An installation that has been started before keeps its start date.
        const starting = projects.length === 0 ? transactAt(db, now, beginsDaysAgo) : transact;
        const report = await prepareInstallation(starting, { ...config, encryptionKeys });
        printCredentials(report, config.firstAdministrator, process.stdout);
        const log = createLogger(config.logLevel);
        const gate = createGate({ db, transact, clock: systemClock, log, settings: config });
        const { username } = config.firstAdministrator;
        const isThere = (await findIdOf(db, username)) !== undefined;
        const chapters = story(
          { encryptionKeys, baseUrl: config.baseUrl },
          isThere ? username : undefined,
        );
        await runStory(db, gate, now, chapters);
        return { settings: settingsOf(config), steps: chapters.length };
      },
    );
    process.stdout.write(
      `Created demo data with six months of history (${steps} changes). Run ${settings}npm start and sign in at /login as the admin, or query /api/admin/search/events with the admin token.\n`,
    );
  },
});
