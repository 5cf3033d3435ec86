import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import { type Service, search } from '../load.ts';
import { type Fresh, onFreshBurgee } from '../on-burgee.ts';
import { residentMb } from '../process.ts';
import { send } from '../send.ts';

/** The maximum of an instance and of an account. */
const accounts = 25;
const perAccount = 20;
const tails = accounts * perAccount;
const writes = 40;
const betweenMs = 100;
const project = 'tailed';

/** Creates an admin token, which counts as a separate account. */
async function newAccount(service: Service, nth: number): Promise<Service> {
  const body = { tokenName: `tail-${nth}`, type: 'admin' };
  const { text } = await send(service, 'POST', '/api/admin/api-tokens', body);
  return { ...service, token: (JSON.parse(text) as { secret: string }).secret };
}

interface Tail {
  readonly socket: Socket;
  /** When each event arrived, by the name of its feature. */
  readonly arrived: Map<string, number>;
}

/** Opens a tail. Resolves with its first bytes. */
const follow = ({ url, token }: Service, nth: number) =>
  new Promise<Tail>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const arrived = new Map<string, number>();
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text = text.slice(-200) + chunk.toString('latin1');
      if (text.startsWith('HTTP/1.1') && !text.startsWith('HTTP/1.1 200')) reject(new Error(text));
      for (const [, name] of text.matchAll(/"featureName":"(tailed-\d+)"/g)) {
        if (name !== undefined && !arrived.has(name)) arrived.set(name, performance.now());
      }
      resolve({ socket, arrived });
    });
    // Half of them send the same request, the others different ones, which share no read.
    const own = nth % 2 === 0 ? '' : `,other-${nth}`;
    socket.write(
      `GET /api/admin/search/events?project=IS_ANY_OF:${project}${own} HTTP/1.1\r\nhost: ${hostname}\r\n` +
        `authorization: ${token}\r\naccept: text/event-stream\r\n\r\n`,
    );
  });

interface Writing {
  readonly writeMs: readonly number[];
  readonly searchMs: readonly number[];
  readonly begun: ReadonlyMap<string, number>;
}

let made = 0;

/** Makes one change after the other, with a search after each. */
async function write(service: Service): Promise<Writing> {
  const [writeMs, searchMs, begun] = [[] as number[], [] as number[], new Map<string, number>()];
  for (let nth = 0; nth < writes; nth += 1) {
    made += 1;
    const name = `tailed-${made}`;
    begun.set(name, performance.now());
    const { ms } = await send(service, 'POST', `/api/admin/projects/${project}/features`, { name });
    writeMs.push(ms);
    searchMs.push((await search(service, { project: `IS:${project}`, limit: 10 })).ms);
    await sleep(betweenMs);
  }
  return { writeMs, searchMs, begun };
}

const late = (open: readonly Tail[], begun: ReadonlyMap<string, number>): number[] =>
  open.flatMap(({ arrived }) =>
    [...begun].map(([name, at]) => (arrived.get(name) ?? Number.POSITIVE_INFINITY) - at),
  );

async function measureOn({ service, pid }: Fresh): Promise<readonly Result[]> {
  await send(service, 'POST', '/api/admin/projects', { id: project, name: project });
  await write(service);
  const alone = await write(service);
  const before = residentMb(pid);
  const open: Tail[] = [];
  for (let account = 0; account < accounts; account += 1) {
    const own = await newAccount(service, account);
    for (let nth = 0; nth < perAccount; nth += 1) {
      open.push(await follow(own, account * perAccount + nth));
    }
  }
  const beside = await write(service);
  await sleep(5_000);
  const megabytes = residentMb(pid);
  const arrival = figureOf(late(open, beside.begun));
  for (const { socket } of open) socket.destroy();
  const [writing, searching] = [figureOf(beside.writeMs), figureOf(beside.searchMs)];
  const without = figureOf(alone.writeMs);
  return [
    { name: 'tails: change without tails', ours: without },
    {
      name: `tails: change with ${tails} tails`,
      target: 'p95 < 100 ms',
      met: writing.p95Ms < 100,
      ours: {
        ...writing,
        ...(megabytes !== undefined && {
          note: `${before?.toFixed(0) ?? '?'} MB before, ${megabytes.toFixed(0)} MB with them`,
        }),
      },
    },
    {
      name: `tails: search with ${tails} tails`,
      target: 'p95 < 100 ms',
      met: searching.p95Ms < 100,
      ours: searching,
    },
    {
      name: `tails: change to all ${tails} tails`,
      target: 'p95 < 3 s',
      met: arrival.p95Ms < 3_000,
      ours: arrival,
    },
  ];
}

/** Measures what the maximum number of tails costs writers and searches, and how soon they receive an event. */
export const measureTails = (): Promise<readonly Result[]> => onFreshBurgee(measureOn);
