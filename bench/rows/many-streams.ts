import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Result } from '../experiment.ts';
import { figureOf, quantileOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { fillProject } from '../many-features.ts';
import { type Fresh, onFreshBurgee } from '../on-burgee.ts';
import { residentMb } from '../process.ts';
import { send } from '../send.ts';
import type { Served, Serving } from '../serving.ts';
import type { Arrivals, Reopened, StreamsQuestion } from '../streams-process.ts';
import { newToken } from '../tokens.ts';

/** A process may open 20,000 files on most machines. */
const clients = 15_000;
const processes = 2;
const changes = 10;
const betweenMs = 2_500;
const p99Ms = 500;
const megabytesMost = 1_200;
const backWithinMs = 30_000;
const project = 'streamed';
const feature = `/api/admin/projects/${project}/features/streamed-feature-00001`;

async function ask<Answer>(child: ChildProcess, question: StreamsQuestion): Promise<Answer> {
  const answer = once(child, 'message');
  child.send(question);
  return ((await answer) as [Answer])[0];
}

const change = (admin: Service, nth: number) =>
  send(admin, 'POST', `${feature}/environments/development/${nth % 2 ? 'off' : 'on'}`);

/** Measures from sending a change until every client has it. */
async function spread(
  children: readonly ChildProcess[],
  admin: Service,
  name: string,
): Promise<Result> {
  const times: number[] = [];
  let missing = 0;
  for (let nth = 0; nth < changes; nth += 1) {
    const began = Date.now();
    await change(admin, nth);
    await sleep(betweenMs);
    const arrived = await Promise.all(children.map((child) => ask<Arrivals>(child, 'arrivals')));
    const at = arrived.flatMap((each) => each.at);
    missing += clients - at.length;
    times.push(...at.map((instant) => instant - began));
  }
  const p99 = quantileOf(times, 0.99);
  return {
    name: `${name}: change to ${clients.toLocaleString('en')} streams`,
    target: `p99 < ${p99Ms} ms`,
    met: p99 < p99Ms && missing === 0,
    ours: { ...figureOf(times), note: `p99 ${p99} ms; ${missing} not told within ${betweenMs} ms` },
  };
}

/** All clients lose their connections, miss a change, and come back at once. */
async function storm(
  children: readonly ChildProcess[],
  admin: Service,
  programs: { readonly url: string; readonly token: string },
  name: string,
): Promise<Result> {
  await Promise.all(children.map((child) => ask(child, 'close')));
  await change(admin, 0);
  const began = performance.now();
  const back = await Promise.all(
    children.map((child) => ask<Reopened>(child, { reopen: true, ...programs })),
  );
  const ms = performance.now() - began;
  const sum = (key: keyof Reopened) => back.reduce((total, each) => total + each[key], 0);
  return {
    name: `${name}: ${clients.toLocaleString('en')} streams back at once`,
    target: `< ${backWithinMs / 1_000} s, no refusal, changes only`,
    met:
      ms < backWithinMs &&
      sum('streams') === clients &&
      sum('failures') === 0 &&
      sum('hydrated') === 0,
    ours: {
      maxMs: ms,
      note: `${sum('streams')} back, ${sum('failures')} refused or broken, ${sum('hydrated')} got everything`,
    },
  };
}

async function measureOn(
  serving: Serving,
  { service }: Fresh,
  { url, pid }: Served,
  token: string,
): Promise<Result[]> {
  const file = fileURLToPath(new URL('../streams-process.ts', import.meta.url));
  const children = Array.from({ length: processes }, () => fork(file));
  const { name } = serving;
  const programs = { url, token };
  try {
    const before = residentMb(pid);
    const question = { open: clients / processes, ...programs };
    const answers = await Promise.all(
      children.map((child) => ask<{ failure?: string }>(child, question)),
    );
    for (const { failure } of answers) if (failure) throw new Error(failure);
    const told = await spread(children, service, name);
    const megabytes = residentMb(pid);
    const memory: Result = {
      name: `${name}: ${clients.toLocaleString('en')} open streams`,
      target: `≤ ${megabytesMost / 1_000} GB`,
      ...(megabytes !== undefined && { met: megabytes <= megabytesMost }),
      ours: {
        ...(megabytes !== undefined && { megabytes }),
        note: `${before?.toFixed(0) ?? '?'} MB before`,
      },
    };
    return [told, memory, await storm(children, service, programs, name)];
  } finally {
    for (const child of children) child.disconnect();
  }
}

/** Measures a process with as many streams as it may have files. */
export const measureManyStreams = (serving: Serving): Promise<readonly Result[]> =>
  onFreshBurgee(async (fresh) => {
    await fillProject(fresh.pool, { project, features: 10, eventsPerFeature: 1 });
    await send(fresh.service, 'POST', `${feature}/environments/development/off`);
    const token = await newToken(fresh.service, 'client', [project]);
    return serving.on(fresh, [token], (served) => measureOn(serving, fresh, served, token));
  });
