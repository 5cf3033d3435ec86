import { Agent, request } from 'node:http';
import type { Service } from './load.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request over a keep-alive connection, timed until the last byte. */
export const send = (service: Service, method: string, path: string, body?: object) =>
  new Promise<{ text: string; ms: number }>((resolve, reject) => {
    const payload = body && JSON.stringify(body);
    const began = performance.now();
    const sent = request(
      `${service.url}${path}`,
      {
        agent,
        method,
        headers: {
          authorization: service.token,
          ...(payload && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - began;
          const text = Buffer.concat(chunks).toString('utf8');
          if ((response.statusCode ?? 500) < 300) resolve({ text, ms });
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(payload);
  });
