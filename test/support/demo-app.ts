import { runStory } from '../../src/demo/run-story.ts';
import { story } from '../../src/demo/story.ts';
import { createGate } from '../../src/modules/access/gate/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { type TestApp, testApp } from './app.ts';

/** A server with the data of `burgee demo`: seven projects with half a year of history. */
export async function demoApp(): Promise<TestApp> {
  const app = await testApp();
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
  await runStory(app.db, gate, systemClock(), chapters);
  return app;
}
