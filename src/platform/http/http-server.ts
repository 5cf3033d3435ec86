import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { FastifyInstance, FastifyServerFactory, RawServerDefault } from 'fastify';
import { limitPipelining } from './pipelining.ts';

interface FactoryOptions {
  readonly http?: ServerOptions;
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
}

const openSockets = new WeakMap<Server, Set<Socket>>();
/** Connections that had sent nothing when idle ones were last closed. */
const silent = new WeakSet<Socket>();

function trackSockets(server: Server): void {
  const open = new Set<Socket>();
  openSockets.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/**
 * Closes connections without a request. Browsers and `fetch` open some in advance, and Node does not count a connection
 * as idle before its first request, so one of them delayed a stop by 10 s.
 */
export function closeIdleConnections(server: Server): void {
  server.closeIdleConnections();
  for (const socket of openSockets.get(server) ?? []) {
    if (socket.bytesRead > 0) continue;
    // The request of a connection that was just accepted may be on its way.
    if (silent.has(socket)) socket.destroy();
    silent.add(socket);
  }
}

/** Creates the server as Fastify does, with a limit for pipelining. */
export const createHttpServer: FastifyServerFactory<RawServerDefault> = (handle, options) => {
  const {
    http = {},
    keepAliveTimeout,
    requestTimeout,
    connectionTimeout,
  } = options as unknown as FactoryOptions;
  const server = createServer({ ...http, keepAliveTimeout, requestTimeout });
  server.setTimeout(connectionTimeout);
  limitPipelining(server, handle);
  trackSockets(server);
  return server;
};

/** Accepts connections on a second address. They count and behave like all others of the server. */
export async function alsoListen(server: Server, host: string): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const second = createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  second.maxConnections = server.maxConnections;
  second.on('drop', (data) => server.emit('drop', data));
  try {
    await once(second.listen({ port, host, backlog }), 'listening');
  } catch {
    return; // a machine without IPv6 resolves localhost to an address that it does not have
  }
  server.once('close', () => second.close());
}

/**
 * How many connections may wait to be accepted; the system may allow fewer (`net.core.somaxconn`, usually 4,096). With
 * Node's 511, 4,000 streams that came back at once took 10 s instead of 4, and of 15,000 some were reset.
 */
const backlog = 16_384;

/** Listens on a host. `localhost` is both 127.0.0.1 and ::1, because clients may try either one first. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  await app.listen({ host, port, backlog });
  if (host !== 'localhost') return;
  const first = (app.server.address() as AddressInfo).address;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  const others = addresses.filter(({ address }) => address !== first);
  for (const { address } of others) await alsoListen(app.server, address);
}
