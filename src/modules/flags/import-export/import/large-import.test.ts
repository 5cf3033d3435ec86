import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { type Person, person } from '../../../../../test/support/people.ts';
import { adminToken } from '../../../../../test/support/tokens.ts';

let app: TestApp;
let viewer: Person;
let port: number;

beforeAll(async () => {
  app = await testApp();
  viewer = await person(app);
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});

const endpoints = ['validate', 'import'].map((what) => `/api/admin/features-batch/${what}`);

/** The response to a request of which only the headers were sent. */
async function answerToHead(head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(head));
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    const [start = '', body] = answer.split('\r\n\r\n');
    const length = Number(/^content-length: (\d+)$/im.exec(start)?.[1]);
    // The response may arrive in several parts. Ending the loop closes the connection.
    if (body !== undefined && Buffer.byteLength(body) >= length) break;
  }
  return answer;
}

describe.each(endpoints)('%s', (path) => {
  test('rejects a viewer before the body is sent', async () => {
    const answer = await answerToHead(
      `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${viewer.token}\r\ncontent-type: application/json\r\ncontent-length: 8000000\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(answer).toContain('CREATE_FEATURE');
  });

  test('accepts a body of 2 MB from a user with a role in one project', async () => {
    const member = await person(app, { roles: { default: 5 } });
    const payload = {
      project: 'default',
      environment: 'development',
      data: {
        features: Array.from({ length: 1_000 }, (_, index) => ({
          name: `large-${index}`,
          description: 'x'.repeat(2_000),
        })),
        featureStrategies: [],
      },
    };
    const answer = await member.ask(`POST ${path}`, { payload });
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  });

  test('reports validation errors in a body of 2 MB', async () => {
    const data = { features: [{ name: 5 }], featureStrategies: [], junk: 'x'.repeat(2_000_000) };
    const answer = await app.ask(`POST ${path}`, {
      payload: { project: 'default', environment: 'development', data },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details[0].path).toBe('/body/data/features/0/name');
  });
});

test('a body over 8 MiB is too large for a validation but not for an import', async () => {
  const payload = JSON.stringify({ junk: 'x'.repeat(9_000_000) });
  const headers = { 'content-type': 'application/json' };
  const statuses = [];
  for (const path of endpoints) {
    statuses.push((await app.ask(`POST ${path}`, { payload, headers })).statusCode);
  }
  expect(statuses).toEqual([413, 400]);
});

test('an import over 32 MiB is rejected before it is sent', async () => {
  const answer = await answerToHead(
    `POST /api/admin/features-batch/import HTTP/1.1\r\nhost: a\r\nauthorization: ${adminToken}\r\ncontent-type: application/json\r\ncontent-length: ${32 * 1024 * 1024 + 1}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(answer).toContain('PayloadTooLargeError');
});
