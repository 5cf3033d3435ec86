import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fresh } from '../on-burgee.ts';
import { type Case, casesOf, type OpenApi } from './cases.ts';
import { heavyCases } from './heavy.ts';
import { type Callers, storeTheWorst } from './stored.ts';
import { startWatcher } from './watcher.ts';

/** The maximum time that one request may block another. */
export const maxWaitMs = 250;

export interface Stall {
  /** What was sent, how, and by whom. */
  readonly what: string;
  readonly status: number;
  /** How long another request waited during it. */
  readonly waitMs: number;
  readonly tookMs: number;
}

interface Bounds {
  readonly features: number;
  /** Cases that are not tried by then are left out, and reported. */
  readonly minutes: number;
  /** Restricts the cases to operations whose method and path match. */
  readonly only?: RegExp | undefined;
  readonly say?: (line: string) => void;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const timeoutMs = 120_000;

interface Answer {
  readonly status: number;
  readonly tookMs: number;
  readonly retryAfterSeconds: number;
}

/** Returns the status, or 0 without a response. */
const sendRaw = (url: string, token: string, method: string, body?: string) =>
  new Promise<Answer>((resolve) => {
    const began = performance.now();
    const finish = (status: number, retryAfter = '0') => {
      const tookMs = performance.now() - began;
      resolve({ status, tookMs, retryAfterSeconds: Number(retryAfter) });
    };
    const sent = request(
      url,
      {
        ...{ agent, method, timeout: timeoutMs },
        headers: {
          ...{ authorization: token, 'accept-encoding': 'gzip' },
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        response.resume();
        const { statusCode, headers } = response;
        response.on('end', () => finish(statusCode ?? 0, headers['retry-after']));
        response.on('error', () => finish(0));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => finish(0));
    sent.end(body);
  });

const audienceOf = (path: string): 'frontend' | 'client' | undefined => {
  if (path.startsWith('/api/frontend') || path.startsWith('/ofrep')) return 'frontend';
  return path.startsWith('/api/client') || path.startsWith('/edge') ? 'client' : undefined;
};

/** Returns the least privileged caller that may send a small request, and an administrator. */
async function askersOf(url: string, { method, path, body }: Case, callers: Callers) {
  const audience = audienceOf(path);
  if (audience) return [audience] as const;
  for (const weakest of ['viewer', 'editor'] as const) {
    const small = body === undefined ? undefined : '{}';
    const { status } = await sendRaw(`${url}${path}`, callers[weakest], method, small);
    if (![401, 403, 404].includes(status)) return [weakest, 'admin'] as const;
  }
  return ['viewer', 'admin'] as const;
}

/** Sends the worst requests for every operation, and measures how long others wait. Returns the worst first. */
export async function findStalls(fresh: Fresh, bounds: Bounds): Promise<Stall[]> {
  const { service, pool } = fresh;
  const { url } = service;
  const say = bounds.say ?? (() => undefined);
  const file = new URL('../../docs/openapi.json', import.meta.url);
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
  const { names, callers } = await storeTheWorst(service, pool, bounds.features);
  const watcher = await startWatcher(url);
  const deadline = performance.now() + bounds.minutes * 60_000;
  const stalls: Stall[] = [];
  const askers = new Map<string, readonly (keyof Callers)[]>();
  let leftOut = 0;

  async function tryOnce(each: Case, asker: keyof Callers): Promise<Stall> {
    const body = each.body?.();
    const ask = async () => {
      await watcher.longestWait();
      return sendRaw(`${url}${each.path}`, callers[asker], each.method, body);
    };
    let answer = await ask();
    // Too many changes by one account are refused, and would not be measured.
    for (let again = 0; again < 3 && answer.status === 503 && !each.isOnce; again += 1) {
      await delay(answer.retryAfterSeconds * 1_000);
      answer = await ask();
    }
    const { status, tookMs } = answer;
    const waitMs = await watcher.longestWait();
    const path = each.path.split('?')[0];
    return { what: `${each.method} ${path} (${each.kind}, ${asker})`, status, waitMs, tookMs };
  }

  /** Tries a case up to three times, because a busy machine delays requests occasionally. A stall occurs every time. */
  async function tryCase(each: Case, asker: keyof Callers): Promise<void> {
    let best = await tryOnce(each, asker);
    for (let again = 0; again < 2 && !each.isOnce && best.waitMs > maxWaitMs / 2; again += 1) {
      const next = await tryOnce(each, asker);
      if (next.waitMs < best.waitMs) best = next;
    }
    stalls.push(best);
    if (best.waitMs > maxWaitMs || best.status >= 500) {
      say(`${Math.round(best.waitMs)} ms, ${best.status}: ${best.what}`);
    }
  }

  try {
    for (const each of [...heavyCases(names), ...casesOf(document, names)]) {
      const key = `${each.method} ${each.path.split('?')[0]}`;
      if (bounds.only && !bounds.only.test(key)) continue;
      if (performance.now() > deadline) {
        leftOut += 1;
        continue;
      }
      const known = askers.get(key) ?? (await askersOf(url, each, callers));
      askers.set(key, known);
      // A body that is hard to parse is the same for every caller.
      const all = each.isAboutBodies ? known.slice(0, 1) : known;
      for (const asker of all) await tryCase(each, asker);
    }
  } finally {
    watcher.stop();
  }
  if (leftOut > 0) say(`${leftOut} requests were not tried within ${bounds.minutes} minutes`);
  return stalls.sort((a, b) => b.waitMs - a.waitMs);
}
