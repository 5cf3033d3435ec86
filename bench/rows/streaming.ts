import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { fillProject } from '../many-features.ts';
import { type Fresh, onFreshBurgee } from '../on-burgee.ts';
import { residentMb } from '../process.ts';
import { send } from '../send.ts';
import type { Arrivals, StreamsQuestion } from '../streams-process.ts';
import { newToken } from '../tokens.ts';

/** What most installations have, and what one instance should support. */
const few = 100;
const many = 10_000;
/** Each connection takes one of 28,000 ports, and reading takes time, so the clients run in two processes. */
const processes = 2;
const changes = 10;
const betweenMs = 1_500;
const project = 'streamed';
const feature = `/api/admin/projects/${project}/features/streamed-feature-00001`;

async function ask<Answer>(child: ChildProcess, question: StreamsQuestion): Promise<Answer> {
  const answer = once(child, 'message');
  child.send(question);
  return ((await answer) as [Answer])[0];
}

/** Connects as many applications as an installation may have, each with ten features. */
async function connect(
  children: readonly ChildProcess[],
  service: Service,
  clients: number,
): Promise<void> {
  const question = { open: clients / processes, ...service };
  const answers = await Promise.all(
    children.map((child) => ask<{ failure?: string }>(child, question)),
  );
  for (const { failure } of answers) if (failure) throw new Error(failure);
}

/** Measures from sending a change until every client has it. */
async function spread(
  children: readonly ChildProcess[],
  admin: Service,
  clients: number,
): Promise<Result> {
  const times: number[] = [];
  for (let nth = 0; nth < changes; nth += 1) {
    const began = Date.now();
    await send(admin, 'POST', `${feature}/environments/development/${nth % 2 ? 'off' : 'on'}`);
    await sleep(betweenMs);
    const arrived = await Promise.all(children.map((child) => ask<Arrivals>(child, 'arrivals')));
    const streams = arrived.reduce((sum, each) => sum + each.streams, 0);
    const at = arrived.flatMap((each) => each.at);
    if (streams !== clients || at.length !== clients) {
      throw new Error(`of ${clients} clients ${streams} are there, and ${at.length} were told`);
    }
    times.push(...at.map((instant) => instant - began));
  }
  const ours = figureOf(times);
  return {
    name: `streaming: change to ${clients.toLocaleString('en')} clients`,
    target: 'p95 < 200 ms',
    met: ours.p95Ms < 200,
    ours,
  };
}

async function measureOn({ service, pid }: Fresh, children: readonly ChildProcess[]) {
  const token = await newToken(service, 'client', [project]);
  const programs = { url: service.url, token };
  const before = residentMb(pid);
  await connect(children, programs, few);
  const toFew = await spread(children, service, few);
  await connect(children, programs, many - few);
  const megabytes = residentMb(pid);
  return [
    toFew,
    {
      name: `streaming: ${many.toLocaleString('en')} open clients`,
      target: '< 1 GB',
      ...(megabytes !== undefined && { met: megabytes < 1_024 }),
      ours: {
        ...(megabytes !== undefined && { megabytes }),
        note: `${before?.toFixed(0) ?? '?'} MB before`,
      },
    },
    await spread(children, service, many),
  ];
}

/** Measures the cost of many streams, and how long a change takes to reach all of them. */
export const measureStreaming = (): Promise<readonly Result[]> =>
  onFreshBurgee(async (fresh) => {
    await fillProject(fresh.pool, { project, features: 10, eventsPerFeature: 1 });
    await send(fresh.service, 'POST', `${feature}/environments/development/off`);
    const file = fileURLToPath(new URL('../streams-process.ts', import.meta.url));
    const children = Array.from({ length: processes }, () => fork(file));
    try {
      return await measureOn(fresh, children);
    } finally {
      for (const child of children) child.disconnect();
    }
  });
