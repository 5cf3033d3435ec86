import { Agent, get } from 'node:http';
import type pg from 'pg';
import { connections, shotsPerSecond } from './cannon.ts';
import { type Figure, figureOf } from './figure.ts';

/** A server that answers searches: Burgee, or the reference. */
export interface Service {
  readonly url: string;
  readonly token: string;
}

export type Parameters = Readonly<Record<string, string | number>>;

export const searchUrl = ({ url }: Service, parameters: Parameters): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  return `${url}/api/admin/search/events?${query}`;
};

export interface SearchAnswer {
  readonly total: number;
  readonly events: readonly { readonly id: number }[];
  readonly nextCursor?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one search over a keep-alive connection, timed until the last byte. */
export const search = (service: Service, parameters: Parameters) =>
  new Promise<{ answer: SearchAnswer; ms: number }>((resolve, reject) => {
    const url = searchUrl(service, parameters);
    const began = performance.now();
    get(url, { agent, headers: { authorization: service.token } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const ms = performance.now() - began;
        const body = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve({ answer: JSON.parse(body), ms });
        else reject(new Error(`${url} answered ${response.statusCode}: ${body.slice(0, 200)}`));
      });
    }).on('error', reject);
  });

/** Fails if the total is wrong: a fast wrong total is no result. */
export async function searchFor(
  service: Service,
  parameters: Parameters,
  expected: number | undefined,
): Promise<number> {
  const { answer, ms } = await search(service, parameters);
  if (expected !== undefined && answer.total !== expected) {
    throw new Error(
      `${JSON.stringify(parameters)} has ${expected} events, but the answer says ${answer.total}`,
    );
  }
  return ms;
}

/** Sends the same request repeatedly over all connections. */
export const requestsPerSecond = (service: Service, parameters: Parameters, seconds: number) =>
  shotsPerSecond(
    {
      url: searchUrl(service, parameters),
      headers: { authorization: service.token },
      status: 200,
    },
    seconds,
  );

/** Runs the same statement repeatedly over all connections: the upper bound for any server. */
export async function statementsPerSecond(
  pool: pg.Pool,
  statement: pg.QueryConfig,
  seconds: number,
): Promise<Figure> {
  const times: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect();
      try {
        while (performance.now() < until) {
          const asked = performance.now();
          await client.query(statement);
          times.push(performance.now() - asked);
        }
      } finally {
        client.release();
      }
    }),
  );
  return { ...figureOf(times), perSecond: (times.length * 1000) / (performance.now() - began) };
}
