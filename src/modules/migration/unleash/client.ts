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
  /** The option that gave the token, and what it must be. */
  readonly tokenRule?: string;
  readonly clock?: WaitingClock;
}

/** Milliseconds, and a way to wait for some. */
export interface WaitingClock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const realClock: WaitingClock = { now: () => performance.now(), sleep: (ms) => sleep(ms) };

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

const adminTokenRule = "Use an admin token or an admin's personal access token";

/** So long a request is repeated while the server responds that there are too many. */
const patienceMs = 5 * 60_000;

/** Requests never become rarer than this, however often the server responds that there are too many. */
const maxIntervalMs = 2000;

/** The wait that a response asks for: seconds, or a date by the clock of the server. */
function retryAfterMs({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const wait = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** People copy the address of the API or of a page. */
function originOf(given: string): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new StartError(`--url '${given}' isn't a valid URL, such as https://unleash.example.com`);
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
  const { tokenRule = adminTokenRule, clock = realClock } = options;
  const url = originOf(options.url);
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let hasResponded = false;
  /** The address is the right one: something was read from it. */
  let hasBeenRead = false;
  let nextStart = 0;
  const repeated: (() => void)[] = [];
  const fresh: (() => void)[] = [];
  let isStarting = false;
  /** Grows when the server responds that there are too many requests, and shrinks again with each other response. */
  let intervalMs = 1000 / rate;
  /** How often requests have been slowed down. Those that were under way together slow them down once. */
  let slowedDown = 0;

  async function enter(): Promise<void> {
    if (underWay >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
  }

  /** Lets requests start one after the other. Those that were refused come first: otherwise new ones could always overtake them. */
  async function startInTurn(): Promise<void> {
    isStarting = true;
    while (repeated.length + fresh.length > 0) {
      while (clock.now() < nextStart) await clock.sleep(nextStart - clock.now());
      nextStart = clock.now() + intervalMs;
      (repeated.shift() ?? fresh.shift())?.();
    }
    isStarting = false;
  }

  /** Waits until the request may be sent. */
  function pace(isRepeated: boolean): Promise<void> {
    const own = new Promise<void>((resolve) => (isRepeated ? repeated : fresh).push(resolve));
    if (!isStarting) void startInTurn();
    return own;
  }

  /** All requests wait as long as the server asks for, and follow each other more slowly afterwards. */
  function slowDown(waitMs: number, before: number): void {
    nextStart = Math.max(nextStart, clock.now() + waitMs);
    if (before !== slowedDown) return;
    slowedDown += 1;
    intervalMs = Math.min(2 * intervalMs, Math.max(maxIntervalMs, 1000 / rate));
  }

  const speedUp = () => {
    intervalMs = Math.max(1000 / rate, 0.98 * intervalMs);
  };

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }

  async function send(path: string, { words, budget }: RequestOptions): Promise<Response> {
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
  }

  /** Repeats a request while there are too many. It stays under way, so that it does not wait for all others again. */
  async function attempt(path: string, asked: RequestOptions): Promise<Response> {
    await enter();
    try {
      let since: number | undefined;
      for (let refusals = 0; ; refusals += 1) {
        await pace(refusals > 0);
        const before = slowedDown;
        const response = await send(path, asked);
        if (response.status !== 429) {
          speedUp();
          return response;
        }
        // Zero and a date in the past are no reason to ask again and again.
        const wait = retryAfterMs(response) || 1000 * 2 ** Math.min(refusals, 5);
        since ??= clock.now();
        if (clock.now() + wait - since > patienceMs) throw tooMany(url, path, rate, wait);
        slowDown(wait, before);
      }
    } finally {
      leave();
    }
  }

  async function request(path: string, asked: RequestOptions): Promise<ReadResponse> {
    for (let tries = 0; ; tries += 1) {
      const pause = pausesMs[tries];
      try {
        const response = await attempt(path, asked);
        hasResponded = true;
        const isJson = response.headers.get('content-type')?.includes('json') ?? false;
        const value = response.ok
          ? parseResponse(await response.text(), `${url}${path}`)
          : undefined;
        const isBroken = response.status >= 500 || (response.ok && isJson && value === undefined);
        if (!isBroken || pause === undefined) return { status: response.status, isJson, value };
        const wait = retryAfterMs(response);
        await clock.sleep(wait !== undefined && wait <= 60_000 ? wait : pause);
      } catch (error) {
        if (error instanceof StartError) throw error;
        // Before the first response, the address is more likely to be wrong than the server to be down.
        const isWrong = !hasResponded && wrongAddress.test(reasonOf(error));
        if (pause === undefined || isWrong) throw failed(url, path, tries, error);
        await clock.sleep(pause);
      }
    }
  }

  async function find(path: string, asked: RequestOptions): Promise<unknown | undefined> {
    const { status, isJson, value } = await request(path, asked);
    if (value !== undefined) {
      hasBeenRead = true;
      return value;
    }
    // A proxy whose server is away responds with a page. That is no sign that something was deleted.
    if (status === 404 && isJson) return undefined;
    if (status === 401) throw new StartError(`${url} rejected the token. ${tokenRule}.`);
    if (status === 403) {
      throw new StartError(`${url} denied GET ${path} for this token. ${tokenRule}.`);
    }
    const isSuccess = status >= 200 && status < 300;
    const badBody = isJson ? 'invalid or incomplete JSON' : 'something other than JSON';
    const what = isSuccess ? badBody : status;
    const isRepeated = status >= 500 || (isSuccess && isJson);
    const retries = isRepeated ? `, even after ${pausesMs.length} retries` : '';
    const advice =
      status >= 500 || hasBeenRead
        ? 'Check its log and that of its proxy, or try again later.'
        : 'Is --url the URL of Unleash?';
    throw new StartError(`${url} responded to GET ${path} with ${what}${retries}. ${advice}`);
  }

  async function get(path: string, asked: RequestOptions): Promise<unknown> {
    const found = await find(path, asked);
    if (found !== undefined) return found;
    throw new StartError(
      hasBeenRead
        ? `${url} responded to GET ${path} with 404, although Unleash 5 and newer have this path. Is a proxy blocking it?`
        : `${url} has no ${path}. Is --url the URL of Unleash 5 or newer?`,
    );
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

interface ReadResponse {
  readonly status: number;
  readonly isJson: boolean;
  /** Undefined if the response is no success, or no JSON. */
  readonly value: unknown;
}

interface RequestOptions {
  readonly budget: ReadingBudget;
  readonly words?: object;
}

function tooMany(url: string, path: string, rate: number, waitMs: number): StartError {
  return new StartError(
    `${url} responded to GET ${path} with 429 (too many requests, retry after ${Math.ceil(waitMs / 1000)} s) for up to ${patienceMs / 60_000} minutes. Try again later with a --rate below ${rate} requests per second.`,
  );
}

const wrongAddress = /ENOTFOUND|ECONNREFUSED|wrong version number|certificate/;

/** The server can be reached, but what it sends cannot be read. By the code of the error. */
const brokenResponses: readonly (readonly [RegExp, string])[] = [
  [/^Z_DATA_ERROR$/, "its response can't be decompressed"],
  [/^(Z_BUF_ERROR|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'its response is incomplete'],
  [
    /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/,
    'it closed the connection before its response was complete',
  ],
  [/^HPE_/, "its response isn't valid HTTP"],
];

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'its response takes too long';
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}

function failed(url: string, path: string, retries: number, error: unknown): StartError {
  const { code } = causeOf(error) as { readonly code?: unknown };
  const broken = brokenResponses.find(([codes]) => codes.test(String(code)))?.[1];
  if (broken !== undefined) {
    return new StartError(
      `${url} didn't respond properly to GET ${path} after ${retries} retries: ${broken}.`,
    );
  }
  const reason = reasonOf(error);
  if (reason.includes('wrong version number')) {
    return new StartError(
      `Couldn't reach ${url}: it doesn't use TLS. Does its URL begin with http://?`,
    );
  }
  const hint = /certificate/.test(reason)
    ? '. Set NODE_EXTRA_CA_CERTS=FILE to the certificate of its authority'
    : '';
  return new StartError(`Couldn't reach ${url}: ${reason}${hint}.`);
}
