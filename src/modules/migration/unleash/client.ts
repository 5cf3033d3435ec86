import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../../platform/start-error.ts';
import {
  parseResponse,
  type ReadingBudget,
  type ReadingLimits,
  readBody,
  usualLimits,
} from './limits.ts';

export interface ClientOptions {
  readonly url: string;
  readonly token: string;
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Requests a second. */
  readonly rate: number;
  /** Pauses before further attempts. */
  readonly pausesMs?: readonly number[];
  readonly limits?: Partial<ReadingLimits>;
}

/** One part of a path. */
export const segment = encodeURIComponent;

/** Reads JSON from a server and never writes to it. */
export interface ReadingClient {
  readonly url: string;
  readonly get: (path: string) => Promise<unknown>;
  /** Undefined if the server does not have the path: an older version, or the open-source edition. */
  readonly find: (path: string) => Promise<unknown | undefined>;
  /** Version 5 searches its event log with POST requests. They change nothing. */
  readonly search: (path: string, words: object) => Promise<unknown>;
  /** The same client, for a new reading: the bytes of earlier ones do not count. */
  readonly forNewReading: () => ReadingClient;
}

/** People copy the address of the API or of a page. */
function originOf(given: string): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new StartError(`--url '${given}' is no address such as https://unleash.example.com`);
  }
  if (!['http:', 'https:'].includes(url.protocol)) {
    throw new StartError(`--url must begin with http:// or https://, not '${url.protocol}'`);
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/admin|\/client)?$/, '');
  return `${url.origin}${path}`;
}

export function createReadingClient(options: ClientOptions): ReadingClient {
  const { token, concurrency, rate, pausesMs = [500, 2000, 8000] } = options;
  const limits = { ...usualLimits, ...options.limits };
  const url = originOf(options.url);
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let hasResponded = false;
  let nextStart = 0;

  async function enter(): Promise<void> {
    if (underWay >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + 1000 / rate;
    if (start > now) await sleep(start - now);
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }

  async function attempt(path: string, { words, budget }: RequestOptions): Promise<Response> {
    await enter();
    try {
      const response = await fetch(`${url}${path}`, {
        ...(words && { method: 'POST', body: JSON.stringify(words) }),
        headers: {
          ...(words && { 'content-type': 'application/json' }),
          authorization: token,
          accept: 'application/json',
          // SDKs say that they resolve segments themselves.
          'unleash-client-spec': '5.2.0',
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(limits.responseMs),
      });
      // Read here, so that the bound on requests counts it.
      const body = await readBody(response, path, limits, budget);
      return new Response(response.status === 204 || response.status === 304 ? null : body, {
        status: response.status === 0 ? 502 : response.status,
        headers: response.headers,
      });
    } finally {
      leave();
    }
  }

  async function request(path: string, asked: RequestOptions): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const pause = pausesMs[tries];
      try {
        const response = await attempt(path, asked);
        hasResponded = true;
        const isPassing = response.status === 429 || response.status >= 500;
        if (!isPassing || pause === undefined) return response;
        const after = Number(response.headers.get('retry-after'));
        await sleep(after > 0 && after <= 60 ? after * 1000 : pause);
      } catch (error) {
        if (error instanceof StartError) throw error;
        // Before the first response, the address is more likely to be wrong than the server to be down.
        const isWrong = !hasResponded && wrongAddress.test(reasonOf(error));
        if (pause === undefined || isWrong) throw unreachable(url, error);
        await sleep(pause);
      }
    }
  }

  async function find(path: string, asked: RequestOptions): Promise<unknown | undefined> {
    const response = await request(path, asked);
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    // A proxy whose server is away responds with a page. That is no sign that something was deleted.
    if (response.status === 404 && isJson) return undefined;
    if (response.status === 401) {
      throw new StartError(
        `${url} does not know the token. --token must be an admin token, or a personal token of an administrator.`,
      );
    }
    if (response.status === 403) {
      throw new StartError(
        `${url} refuses GET ${path} with this token. --token must be an admin token, or a personal token of an administrator.`,
      );
    }
    if (!response.ok) {
      throw new StartError(
        `${url} responds to GET ${path} with ${response.status}. Is --url the address of Unleash?`,
      );
    }
    const value = parseResponse(await response.text(), `${url}${path}`);
    if (value !== undefined) return value;
    throw new StartError(
      `${url} responds to GET ${path} with something other than JSON. Is --url the address of Unleash?`,
    );
  }

  async function get(path: string, asked: RequestOptions): Promise<unknown> {
    const found = await find(path, asked);
    if (found === undefined) {
      throw new StartError(`${url} has no ${path}. Is --url the address of Unleash 5 or newer?`);
    }
    return found;
  }

  const withBudget = (budget: ReadingBudget): ReadingClient => ({
    url,
    find: (path) => find(path, { budget }),
    get: (path) => get(path, { budget }),
    search: (path, words) => get(path, { budget, words }),
    forNewReading: () => withBudget({ bytes: 0 }),
  });
  return withBudget({ bytes: 0 });
}

interface RequestOptions {
  readonly budget: ReadingBudget;
  readonly words?: object;
}

const wrongAddress = /ENOTFOUND|ECONNREFUSED|wrong version number|certificate/;

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'its response takes too long';
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

function unreachable(url: string, error: unknown): StartError {
  const reason = reasonOf(error);
  if (reason.includes('wrong version number')) {
    return new StartError(
      `${url} cannot be reached: it has no TLS. Does its address begin with http://?`,
    );
  }
  const hint = /certificate/.test(reason)
    ? '. Give the certificate of its authority with NODE_EXTRA_CA_CERTS=FILE'
    : '';
  return new StartError(`${url} cannot be reached: ${reason}${hint}.`);
}
