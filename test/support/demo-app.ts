import { prepareInstallation } from '../../src/app/installation.ts';
import { runStory, transactAt } from '../../src/demo/run-story.ts';
import { beginsDaysAgo, story } from '../../src/demo/story.ts';
import { createGate } from '../../src/modules/access/gate/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { appOn, type TestApp } from './app.ts';
import { testDatabase } from './database.ts';
import { administratorPassword, adminToken, clientToken, frontendToken } from './tokens.ts';

/** A server with the data of `burgee demo`: seven projects with half a year of history. */
export async function demoApp(): Promise<TestApp> {
  const now = systemClock();
  const { connection, db } = await testDatabase('migrated');
  // Before the story, because history is in the order of events.
  await prepareInstallation(transactAt(db, now, beginsDaysAgo), {
    initialTokens: { admin: [adminToken], client: [clientToken], frontend: [frontendToken] },
    encryptionKeys: [],
    signingKeyFile: undefined,
    firstAdministrator: { username: 'admin', password: administratorPassword },
  });
  const app = await appOn({ connection, db });
  const gate = createGate({
    db: app.db,
    transact: app.transact,
    clock: systemClock,
    log: createLogger('silent'),
    settings: { baseUrl: 'http://localhost', sessionTtlHours: 48, sessionIdleHours: 12 },
  });
  const chapters = story({
    encryptionKeys: [Buffer.alloc(32, 7)],
    baseUrl: 'http://localhost:4242',
  });
  await runStory(app.db, gate, now, chapters);
  return app;
}
