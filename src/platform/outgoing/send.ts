import { setMaxListeners } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import type { TargetPolicy } from '../module.ts';
import { exchange } from './exchange.ts';
import { describeFailure, interrupted } from './failures.ts';
import { createGuard, type Guard, type Resolve } from './guard.ts';
import {
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingRequest,
} from './outgoing.ts';

const socketsPerHost = 64;
/**
 * Many servers close idle connections after 5 s. We close earlier, so that no request is sent on a closing connection.
 */
const idleMsBeforeTheirs = 4000;
/** Node's default of 250 ms is too short for a distant receiver. */
const familyAttemptMs = 500;

interface Agents {
  readonly plain: http.Agent;
  readonly secure: https.Agent;
}

/** Agents and guard of requests that may reach the same addresses. */
interface Route {
  readonly guard: Guard;
  readonly pooled: Agents;
  readonly unpooled: Agents;
}

/** For tests. */
interface TestOptions {
  readonly lookup?: Resolve;
  readonly ca?: string;
  readonly idleMs?: number;
}

/** Creates the sender of all outgoing requests of this process. */
export const createOutgoing = (
  policy: TargetPolicy,
  { lookup, ca, idleMs = idleMsBeforeTheirs }: TestOptions = {},
): Outgoing => {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  const createAgents = (guard: Guard, keepAlive: boolean): Agents => {
    const options = {
      keepAlive,
      // With a limit, Node would pass a connection to the next waiting request even without keep-alive.
      maxSockets: keepAlive ? socketsPerHost : Number.POSITIVE_INFINITY,
      maxFreeSockets: socketsPerHost,
      timeout: idleMs,
      lookup: guard.lookup,
      autoSelectFamilyAttemptTimeout: familyAttemptMs,
    };
    return {
      plain: new http.Agent(options),
      secure: new https.Agent(ca === undefined ? options : { ...options, ca }),
    };
  };
  const createRoute = (guard: Guard): Route => ({
    guard,
    pooled: createAgents(guard, true),
    unpooled: createAgents(guard, false),
  });
  const others = { ...policy, loopback: false };
  const isThisMachine = (kind: string) => policy.loopback && kind === 'loopback';
  // Separate connections: one to this machine is never reused by a request that may not reach it.
  const ways = {
    anywhere: createRoute(createGuard(policy, lookup)),
    elsewhere: createRoute(createGuard(others, lookup, isThisMachine)),
  };

  return {
    send: async (request, { timeoutMs, signal, loopback = false }) => {
      const { guard, pooled, unpooled } = loopback ? ways.anywhere : ways.elsewhere;
      const url = readUrl(request.url);
      const where = url.host;
      const deadline = performance.now() + timeoutMs;
      if (closing.signal.aborted || signal?.aborted) throw interrupted(where);

      // One signal may cancel many requests. Node would warn of a leak from the eleventh listener on.
      if (signal) setMaxListeners(0, signal);
      const whenInterrupted = (interrupt: () => void) => {
        const signals = signal ? [closing.signal, signal] : [closing.signal];
        for (const each of signals) each.addEventListener('abort', interrupt);
        return () => {
          for (const each of signals) each.removeEventListener('abort', interrupt);
        };
      };
      const options = requestOptions(url, request);
      const attempt = (agents: Agents, again?: () => Promise<OutgoingAnswer>) =>
        exchange(
          {
            begin: () =>
              url.protocol === 'https:'
                ? https.request({ ...options, agent: agents.secure })
                : http.request({ ...options, agent: agents.plain }),
            body: request.body,
            where,
            ...(again && { again }),
          },
          { timeoutMs, leftMs: Math.max(1, deadline - performance.now()), whenInterrupted },
        );

      try {
        guard.checkHost(bareHost(url));
        return await attempt(pooled, () => attempt(unpooled));
      } catch (error) {
        throw describeFailure(error, where);
      }
    },
    close: () => {
      closing.abort();
      const agents = Object.values(ways).flatMap(({ pooled, unpooled }) => [pooled, unpooled]);
      for (const { plain, secure } of agents) {
        plain.destroy();
        secure.destroy();
      }
    },
  };
};

const readUrl = (text: string): URL => {
  const url = parseUrl(text);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new OutgoingError('refused', 'The URL must begin with http:// or https://.');
};

const parseUrl = (text: string): URL => {
  try {
    return new URL(text);
  } catch {
    // The message does not repeat the text, which may contain a secret.
    throw new OutgoingError('network', 'The address is not a URL.', 'ERR_INVALID_URL');
  }
};

/** Returns the host for `connect`: without the brackets of IPv6. */
const bareHost = ({ hostname }: URL) =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

/** Headers that only we set. A wrong one would make the receiver read one request as two, or wait for ever. */
const framing = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const requestOptions = (url: URL, { method, headers, body }: OutgoingRequest) => {
  const host = bareHost(url);
  const sent: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    if (!framing.has(lower)) sent[lower] = headers[name] as string;
  }
  if (body !== undefined) sent['content-length'] = String(Buffer.byteLength(body));
  if (url.username !== '' || url.password !== '') sent.authorization ??= basic(url);
  return {
    method,
    host,
    port: url.port,
    path: url.pathname + url.search,
    headers: sent,
    // Verifies the certificate for the host name of the URL, whatever a Host header contains.
    ...(url.protocol === 'https:' && {
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    }),
  };
};

const basic = ({ username, password }: URL) => {
  const plain = [username, password].map(percentDecode);
  return `Basic ${Buffer.from(plain.join(':')).toString('base64')}`;
};

/** Decodes percent-escapes and keeps invalid ones, where `decodeURIComponent` throws. */
const percentDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
