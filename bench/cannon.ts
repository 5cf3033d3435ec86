import autocannon from 'autocannon';
import { type Figure, figureOf } from './figure.ts';
import { connections } from './load.ts';

/** One request that is made again and again. */
export interface Shot {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  /** Any other status is a failure: a fast refusal is no result. */
  readonly status: number;
}

/** How many are answered in a second over all connections, and how long each takes. */
export const shotsPerSecond = ({ status, ...shot }: Shot, seconds: number) =>
  new Promise<ReturnType<typeof figureOf> & Required<Pick<Figure, 'perSecond'>>>(
    (resolve, reject) => {
      const times: number[] = [];
      const others = new Map<number, number>();
      const run = autocannon({ ...shot, connections, duration: seconds }, (error, result) => {
        if (error) reject(error);
        else if (result.errors > 0 || others.size > 0) {
          const answers = [...others].map(([other, count]) => `${count} × ${other}`).join(', ');
          reject(new Error(`${shot.url}: ${result.errors} errors, not ${status}: ${answers}`));
        } else {
          resolve({ ...figureOf(times), perSecond: result.requests.total / result.duration });
        }
      });
      run.on('response', (_client: unknown, answered: number, _bytes: number, ms: number) => {
        times.push(ms);
        if (answered !== status) others.set(answered, (others.get(answered) ?? 0) + 1);
      });
    },
  );

/** The tag of what it is answered with. */
export async function entityTag({ url, headers }: Shot): Promise<string> {
  const answer = await fetch(url, { headers: { ...headers } });
  await answer.arrayBuffer();
  return answer.headers.get('etag') ?? '';
}
