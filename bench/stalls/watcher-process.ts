import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests /health continuously, one request at a time. Each message asks for the longest wait since the last one. */
const url = process.argv[2] ?? '';
const everyMs = 3;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

let longest = 0;
let begun: number | undefined;

const ask = () =>
  new Promise<void>((resolve, reject) => {
    get(`${url}/health`, { agent }, (response) => {
      response.resume();
      response.on('end', resolve);
      response.on('error', reject);
    }).on('error', reject);
  });

process.on('message', () => {
  // A request that is still waiting counts with its time so far.
  const waiting = begun === undefined ? 0 : performance.now() - begun;
  process.send?.(Math.max(longest, waiting));
  longest = 0;
});
process.on('disconnect', () => process.exit());

for (;;) {
  begun = performance.now();
  await ask().catch(() => sleep(50));
  longest = Math.max(longest, performance.now() - begun);
  begun = undefined;
  await sleep(everyMs);
}
