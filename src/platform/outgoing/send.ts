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
/** Many servers close after 5 s: we are the first, so that no request runs into a closing connection. */
const idleMsBeforeTheirs = 4000;
/** With 250 ms, which is Node's own, a receiver on the other side of the world would fail by bad luck. */
const familyAttemptMs = 500;

interface Agents {
  readonly plain: http.Agent;
  readonly secure: https.Agent;
}

/** How requests get out that may reach the same addresses. */
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

/** The one way out of this process for what it sends by itself. */
export const createOutgoing = (
  policy: TargetPolicy,
  { lookup, ca, idleMs = idleMsBeforeTheirs }: TestOptions = {},
): Outgoing => {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  const createAgents = (guard: Guard, keepAlive: boolean): Agents => {
    const options = {
      keepAlive,
      // With a limit a connection would be handed on to whoever waits, kept alive or not.
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
  // With connections of their own: one to this machine is never handed to a request that may not reach it.
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

      // One signal may give up many requests. Node would warn of a leak from the eleventh on.
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
    // The text is not repeated: it may hold a secret.
    throw new OutgoingError('network', 'The address is not a URL.', 'ERR_INVALID_URL');
  }
};

/** As `connect` wants it: without the brackets of IPv6. */
const bareHost = ({ hostname }: URL) =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

/** Ours to say: a wrong one would make the receiver read one request as two, or wait for ever. */
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
    // The name in the URL is the one that is verified, whatever a Host header says.
    ...(url.protocol === 'https:' && {
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    }),
  };
};

const basic = ({ username, password }: URL) => {
  const plain = [username, password].map(percentDecode);
  return `Basic ${Buffer.from(plain.join(':')).toString('base64')}`;
};

/** What is no escape stays as it is, where `decodeURIComponent` throws. */
const percentDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
