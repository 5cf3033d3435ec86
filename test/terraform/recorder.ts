import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request of the provider and its response. */
export interface Exchange {
  readonly request: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

export interface Recorder {
  readonly url: string;
  /** The requests since the last call. */
  readonly take: () => Exchange[];
  readonly close: () => void;
}

const parsed = (json: string): unknown => (json === '' ? undefined : JSON.parse(json));

/** A proxy between the Terraform provider and the server that records their requests and responses. */
export async function startRecorder(target: string): Promise<Recorder> {
  let exchanges: Exchange[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const sent = await text(incoming);
    const onward = ask(`${target}${url}`, { method, headers }, async (answer) => {
      const received = await text(answer);
      const body = parsed(sent);
      const answered = parsed(received);
      exchanges.push({
        request: `${method} ${url}`,
        ...(body !== undefined && { body }),
        status: answer.statusCode ?? 0,
        ...(answered !== undefined && { answer: answered }),
      });
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(received);
    });
    onward.on('error', () => outgoing.writeHead(502).end());
    onward.end(sent);
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = exchanges;
      exchanges = [];
      return taken;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
