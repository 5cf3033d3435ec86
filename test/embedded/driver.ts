import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { startEmbedded } from '../../src/platform/db/embedded/index.ts';
import { StartError } from '../../src/platform/start-error.ts';

/** A process with only Burgee's database: takes its options, then one command per line. */
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

// If the input ends without `stop`, the process ends without stopping the database.
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'stop') {
    await embedded.stop();
    break;
  }
  say(await query(line).catch((error: unknown) => ({ failed: String(error) })));
}
