import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { startDeadline } from '../../platform/deadline.ts';
import { version } from '../../platform/version.ts';
import type { EdgeSettings } from '../settings.ts';
import { createDurations, type Durations } from './durations.ts';

/** The specification whose segments, deltas and streams this edge reads. */
const clientSpecification = '5.2.0';
/** An installation with 100,000 features has less. A wrong upstream must not fill the memory. */
const maxBytes = 256 * 1024 * 1024;
/** However slowly it arrives, a response that makes progress may take this long. */
const longestMs = 60_000;

const unzip = promisify(gunzip);

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** The parsed body; undefined if the response has none. */
  readonly body: unknown;
}

interface Sent {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Upstream {
  readonly get: (path: string, sent: Sent) => Promise<UpstreamAnswer>;
  readonly post: (path: string, body: object, sent?: Sent) => Promise<UpstreamAnswer>;
  /** Begins a request whose response does not end. The signal aborts it. */
  readonly open: (path: string, sent: Sent, signal: AbortSignal) => Promise<http.IncomingMessage>;
  /** How long the last reads of features took, in milliseconds. */
  readonly durations: () => Durations;
  readonly close: () => void;
}

/** The upstream cannot be reached, or its response is useless. Never a reason to forget anything. */
export const upstreamFailed = (reason: string, cause?: unknown): Error =>
  new Error(`the upstream failed: ${reason}`, { cause });

/** The upstream answered with a status that is no success. */
export const upstreamAnswered = (request: string, status: number): Error =>
  Object.assign(upstreamFailed(`${request}: it responded with ${status}`), { status });

/** Statuses about what is in a request, of the upstream or of a firewall before it. */
const refusals: readonly unknown[] = [400, 403, 406, 413, 414, 422];

/** Whether the upstream may answer once a part of the request is left out. */
export const isRefusedContent = (error: unknown): boolean =>
  refusals.includes((error as { readonly status?: unknown }).status);

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

type Connection = Pick<
  EdgeSettings,
  | 'appName'
  | 'requestTimeoutMs'
  | 'refreshMs'
  | 'upstreamHeaders'
  | 'upstreamCertificateFile'
  | 'instanceId'
> & { readonly upstreamUrl: string };

/**
 * Sends requests to the upstream. Uses Node's own client: `fetch` would take 10 MB more, and does not tell when a
 * response ends early.
 */
export function createUpstream(settings: Connection): Upstream {
  const { upstreamUrl, requestTimeoutMs, upstreamCertificateFile } = settings;
  const isSecure = upstreamUrl.startsWith('https:');
  const certificates = isSecure &&
    upstreamCertificateFile && {
      ca: [...rootCertificates, readFileSync(upstreamCertificateFile, 'utf8')],
    };
  const createAgent = (maxSockets: number): http.Agent => {
    const options = { keepAlive: true, maxSockets, maxFreeSockets: 4, timeout: longestMs };
    return isSecure ? new https.Agent({ ...options, ...certificates }) : new http.Agent(options);
  };
  const agent = createAgent(64);
  /** Each stream keeps a connection. Requests must not wait for one of them to end. */
  const streamAgent = createAgent(Number.POSITIVE_INFINITY);
  const usual = {
    ...settings.upstreamHeaders,
    'user-agent': `burgee-edge/${version}`,
    'unleash-appname': settings.appName,
    'unleash-instanceid': settings.instanceId ?? randomUUID(),
    'unleash-connection-id': randomUUID(),
    'unleash-client-spec': clientSpecification,
    'unleash-sdk': `burgee-edge:${version}`,
    'unleash-interval': String(settings.refreshMs),
    accept: 'application/json',
  };

  function begin(
    method: string,
    path: string,
    { token, headers }: Sent,
    more: Pick<http.RequestOptions, 'agent' | 'signal'>,
  ): http.ClientRequest {
    const all = { ...usual, ...(token !== undefined && { authorization: token }), ...headers };
    const { request } = isSecure ? https : http;
    return request(`${upstreamUrl}${path}`, {
      method,
      headers: all,
      ...more,
    });
  }

  /** Rejects if the response ends early or makes no progress for `requestTimeoutMs`. */
  const exchange = (
    method: string,
    path: string,
    sent: Sent,
    body?: string,
  ): Promise<UpstreamAnswer> =>
    new Promise((resolve, reject) => {
      const headers = {
        'accept-encoding': 'gzip',
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...sent.headers,
      };
      const request = begin(method, path, { ...sent, headers }, { agent });
      const fail = (reason: string, cause?: unknown) => {
        silence.clear();
        whole.clear();
        request.destroy();
        reject(upstreamFailed(`${method} ${path}: ${reason}`, cause));
      };
      const silence = startDeadline(requestTimeoutMs, () => fail('it timed out'));
      const whole = startDeadline(longestMs, () => fail('it timed out'));
      request.on('error', (error) => fail(reasonOf(error), error));
      request.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        incoming.on('data', (chunk: Buffer) => {
          silence.restart();
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxBytes) fail('its response is too large');
        });
        incoming.on('error', (error) => fail(reasonOf(error), error));
        incoming.on('aborted', () => fail('its response ended early'));
        incoming.on('end', () => {
          silence.clear();
          whole.clear();
          if (!incoming.complete) return fail('its response ended early');
          parse(incoming, Buffer.concat(chunks)).then(
            (parsed) =>
              resolve({
                status: incoming.statusCode ?? 0,
                headers: incoming.headers,
                body: parsed,
              }),
            (error) => fail('its response is not JSON', error),
          );
        });
      });
      request.end(body);
    });

  const durations = createDurations();

  return {
    async get(path, sent) {
      const beganMs = performance.now();
      const answer = await exchange('GET', path, sent);
      durations.add(performance.now() - beganMs);
      return answer;
    },
    durations: durations.read,
    post: (path, body, sent = {}) => exchange('POST', path, sent, JSON.stringify(body)),
    open: (path, sent, signal) =>
      new Promise((resolve, reject) => {
        const request = begin('GET', path, sent, { agent: streamAgent, signal });
        const deadline = startDeadline(requestTimeoutMs, () =>
          request.destroy(upstreamFailed(`GET ${path}: it timed out`)),
        );
        request.on('error', (error) => {
          deadline.clear();
          reject(upstreamFailed(`GET ${path}: ${reasonOf(error)}`, error));
        });
        request.on('response', (incoming) => {
          deadline.clear();
          resolve(incoming);
        });
        request.end();
      }),
    close() {
      agent.destroy();
      streamAgent.destroy();
    },
  };
}

/** Only a success has a body that matters: errors of a proxy are HTML. */
async function parse(incoming: http.IncomingMessage, bytes: Buffer): Promise<unknown> {
  if (incoming.statusCode !== 200 || bytes.length === 0) return undefined;
  const isZipped = incoming.headers['content-encoding'] === 'gzip';
  const plain = isZipped ? await unzip(bytes, { maxOutputLength: maxBytes }) : bytes;
  return JSON.parse(plain.toString('utf8'));
}
