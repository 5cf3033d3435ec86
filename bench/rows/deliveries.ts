import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { adminToken, startBurgee } from '../process.ts';
import { send } from '../send.ts';
import { temporaryFolder } from './starts.ts';

const project = '/api/admin/projects/default';
const featureCount = 500;
/** Each round marks all features stale, or not stale any more: so many events in one commit. */
const rounds = 30;
const backlog = featureCount * rounds;
const writesPerSecond = 20;

/** A receiver that takes everything, and notes when what was new arrived. */
async function startReceiver() {
  const arrivals: { type: string; afterMs: number }[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const now = Date.now();
      count += 1;
      const text = Buffer.concat(chunks).toString('utf8');
      const { type, createdAt } = JSON.parse(text) as { type: string; createdAt: string };
      arrivals.push({ type, afterMs: now - Date.parse(createdAt) });
      response.writeHead(200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    count: () => count,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await sleep(2);
};

/** A change that nobody is told of, again and again at a steady pace; how long each takes. */
async function writeSteadily(service: Service, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const began = performance.now();
  for (let nth = 0; !isOver(); nth += 1) {
    const early = began + (nth * 1000) / writesPerSecond - performance.now();
    if (early > 0) await sleep(early);
    const description = `change ${nth} at ${began}`;
    const { ms } = await send(service, 'PUT', project, { name: 'Default', description });
    times.push(ms);
  }
  return times;
}

/** One change at a time: from the instant that its transaction began until the receiver has it. */
async function measureLatency(service: Service, receiver: Receiver): Promise<Result> {
  const samples = 300;
  const before = receiver.arrivals.length;
  for (let nth = 0; nth < samples; nth += 1) {
    const stale = nth % 2 === 0;
    await send(service, 'POST', `${project}/stale`, { features: ['bench-0'], stale });
    await sleep(20);
  }
  await until(() => receiver.arrivals.length >= before + samples);
  const ours = figureOf(receiver.arrivals.slice(before).map(({ afterMs }) => afterMs));
  return {
    name: 'delivery: event to receiver',
    target: 'p50 < 30 ms, p95 < 150 ms',
    met: ours.p50Ms < 30 && ours.p95Ms < 150,
    ours,
  };
}

/** A backlog goes out while somebody goes on changing things. */
async function measureRate(service: Service, receiver: Receiver, addon: string): Promise<Result[]> {
  await send(service, 'POST', `${addon}/pause`);
  for (let round = 0; round < rounds; round += 1) {
    const features = Array.from({ length: featureCount }, (_, nth) => `bench-${nth}`);
    await send(service, 'POST', `${project}/stale`, { features, stale: round % 2 === 0 });
  }
  const quietUntil = performance.now() + 15_000;
  const alone = figureOf(await writeSteadily(service, () => performance.now() > quietUntil));
  const before = receiver.count();
  const began = performance.now();
  await send(service, 'POST', `${addon}/resume`);
  let tookMs = 0;
  const draining = until(() => receiver.count() - before >= backlog).then(() => {
    tookMs = performance.now() - began;
  });
  const beside = figureOf(await writeSteadily(service, () => tookMs > 0));
  await draining;
  const perSecond = (backlog * 1000) / tookMs;
  const growth = beside.p50Ms / alone.p50Ms - 1;
  return [
    {
      name: `delivery: a backlog of ${backlog.toLocaleString('en')}`,
      target: '≥ 500/s',
      met: perSecond >= 500,
      ours: { perSecond, samples: backlog },
    },
    {
      name: 'delivery: writes beside it',
      target: 'p50 grows < 20 %',
      met: growth < 0.2,
      ours: {
        ...beside,
        note: `p50 ${alone.p50Ms.toFixed(2)} ms without it, ${(100 * growth).toFixed(0)} % more`,
      },
    },
  ];
}

export async function measureDeliveries(): Promise<readonly Result[]> {
  const dataDir = temporaryFolder();
  const receiver = await startReceiver();
  const server = await startBurgee(dataDir);
  try {
    const service: Service = { url: server.url, token: adminToken };
    const features = Array.from({ length: featureCount }, (_, nth) => ({ name: `bench-${nth}` }));
    for (const feature of features) await send(service, 'POST', `${project}/features`, feature);
    const { text } = await send(service, 'POST', '/api/admin/addons', {
      provider: 'webhook',
      enabled: true,
      events: ['feature-stale-on', 'feature-stale-off'],
      parameters: { url: receiver.url },
    });
    const addon = `/api/admin/addons/${(JSON.parse(text) as { id: number }).id}`;
    return [
      await measureLatency(service, receiver),
      ...(await measureRate(service, receiver, addon)),
    ];
  } finally {
    await server.stop();
    receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
