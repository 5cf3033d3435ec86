import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { startEmbedded } from '../../src/platform/db/embedded/index.ts';
import { StartError } from '../../src/platform/start-error.ts';

/** A Burgee reduced to its database: started with its options, then told by lines what to do. */
const say = (answer: unknown) => process.stdout.write(`${JSON.stringify(answer)}\n`);

const notes: string[] = [];
const options = JSON.parse(process.argv[2] ?? '');
const embedded = await startEmbedded({
  ...options,
  log: (note) => notes.push(note),
  warn: () => undefined,
  onGone: (error) => {
    say({ gone: error.message });
    process.exit(1);
  },
}).catch((error: unknown) => {
  say({ refused: error instanceof StartError ? error.message : `BUG ${String(error)}` });
  process.exit(1);
});

async function query(sql: string): Promise<unknown[]> {
  const client = new Client({ ...embedded.connection });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

await query('select 1');
say({ ...embedded, notes });

// When the lines end without `stop`, the process ends like one that forgot to.
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'stop') {
    await embedded.stop();
    break;
  }
  say(await query(line).catch((error: unknown) => ({ failed: String(error) })));
}
