import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Errand } from './bystander.ts';

/** Sends each request over and over, each on its own connection. Reports the longest waits since the last message. */
const errands = JSON.parse(process.argv[2] ?? '[]') as readonly Errand[];
const everyMs = 20;
const patienceMs = 30_000;

const longest = new Map<string, number>();
const begun = new Map<string, number>();
const failed = new Map<string, number>();

const ask = ({ method, url, token, body }: Errand, agent: Agent) =>
  new Promise<number>((resolve, reject) => {
    const headers = {
      ...(token !== undefined && { authorization: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = request(url, { method, agent, headers, timeout: patienceMs }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy());
    sent.end(body);
  });

const note = (name: string, ms: number) => longest.set(name, Math.max(longest.get(name) ?? 0, ms));

process.on('message', () => {
  // A request that is still waiting counts with its time so far.
  for (const [name, at] of begun) note(name, performance.now() - at);
  process.send?.({ waits: Object.fromEntries(longest), failed: Object.fromEntries(failed) });
  longest.clear();
  failed.clear();
});
process.on('disconnect', () => process.exit());

async function repeat(errand: Errand): Promise<void> {
  const { name } = errand;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: '127.0.0.1' });
  for (;;) {
    const at = performance.now();
    begun.set(name, at);
    const status = await ask(errand, agent).catch(() => 0);
    begun.delete(name);
    note(name, performance.now() - at);
    if (status === 0 || status >= 400)
      failed.set(`${name} ${status}`, (failed.get(`${name} ${status}`) ?? 0) + 1);
    await sleep(everyMs);
  }
}

await Promise.all(errands.map(repeat));
