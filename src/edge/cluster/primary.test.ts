import cluster from 'node:cluster';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/edge.ts';
import { createLogger } from '../../platform/log.ts';
import type { Hub } from '../hub/hub.ts';
import { startWorkers } from './primary.ts';

const hub = { forget: () => undefined } as unknown as Hub;

function collectedLog() {
  const messages: string[] = [];
  const log = createLogger('info', { write: (line) => void messages.push(JSON.parse(line).msg) });
  return { messages, log };
}

/** The cluster still lists an ended worker until its channel has closed as well. */
const running = () =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker && !worker.isDead());

test('a worker that ends before it serves is replaced, and one that does not end is killed', async () => {
  const folder = temporaryFolder();
  const script = join(folder, 'worker.mjs');
  const flag = JSON.stringify(join(folder, 'started'));
  writeFileSync(
    script,
    `import { mkdirSync } from 'node:fs';
    import { createServer } from 'node:http';
    try {
      mkdirSync(${flag});
      process.exit(1);
    } catch {
      // Another worker was the first one.
    }
    process.on('SIGTERM', () => undefined);
    createServer().listen(0, '127.0.0.1');`,
  );
  cluster.setupPrimary({ exec: script, execArgv: [], args: [] });
  const { messages, log } = collectedLog();
  const workers = startWorkers({ count: 2, hub, log, endWithinMs: 100 });
  await workers.listening;
  expect(messages).toEqual(['a worker exited, starting another one']);
  await workers.stop();
  expect(messages.slice(1)).toEqual(Array(2).fill('a worker does not exit, killing it'));
  expect(running()).toEqual([]);
});

test('a worker whose process cannot be created is replaced', async () => {
  const script = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(
    script,
    `import { createServer } from 'node:http';
    createServer().listen(0, '127.0.0.1');`,
  );
  cluster.setupPrimary({ exec: script, execArgv: [], args: [] });
  const { messages, log } = collectedLog();
  const { execPath } = process;
  process.execPath = join(temporaryFolder(), 'missing');
  const workers = startWorkers({ count: 1, hub, log, endWithinMs: 10_000 });
  process.execPath = execPath;
  await workers.listening;
  expect(messages).toEqual(['a worker failed', 'a worker exited, starting another one']);
  await workers.stop();
  expect(running()).toEqual([]);
});
