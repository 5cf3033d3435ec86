import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { closeLater } from '../../../../test/support/closing.ts';
import { happen } from '../../../../test/support/happen.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { adminToken } from '../../../../test/support/tokens.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { createSearchPool } from '../../../platform/db/connect.ts';
import { createReadSnapshot } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { exportEvents, ndjson } from '../export/export.ts';
import { createSearch } from '../search/search.ts';

let one: TestApp;
let two: TestApp;
let urls: string[];

beforeAll(async () => {
  one = await testApp();
  two = await appOn(one);
  urls = await Promise.all(
    [one, two].map(async ({ app }) => {
      await app.listen({ port: 0, host: '127.0.0.1' });
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/admin/search/events`;
    }),
  );
});

const lastId = async () =>
  (await one.ask('GET /api/admin/search/events?limit=1')).json().events[0].id as number;

interface Tail {
  readonly ids: number[];
  /** Resolves once this event has arrived, or fails and shows what arrived instead. */
  readonly until: (id: number) => Promise<void>;
  readonly stop: () => void;
}

/** A reader of the live tail that collects the ids in order of arrival. */
async function follow(url: string, headers: Record<string, string> = {}): Promise<Tail> {
  const abort = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: adminToken, accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const ids: number[] = [];
  const read = async () => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const [, id, json] = /^id: (\d+)\nevent: event\ndata: (.*)$/.exec(frame) ?? [];
        if (id === undefined || json === undefined) continue;
        expect(JSON.parse(json).id).toBe(Number(id));
        ids.push(Number(id));
      }
    }
  };
  read().catch(() => undefined);
  return {
    ids,
    until: (id) => expect.poll(() => ids.at(-1), { timeout: 60_000, interval: 10 }).toBe(id),
    stop: () => abort.abort(),
  };
}

const range = (after: number, upTo: number) =>
  Array.from({ length: upTo - after }, (_, index) => after + index + 1);

describe('following the log', () => {
  test('returns every event of concurrent writers on two instances once and in order, by cursor and by tail', async () => {
    const start = await lastId();
    const tails = await Promise.all(urls.map((url) => follow(url)));
    const polled: number[] = [];
    let cursor = (await one.ask('GET /api/admin/search/events?order=asc&limit=1000')).json()
      .nextCursor;
    let writing = true;
    const changes = randomCases(6, 40).numRuns;

    const poll = async () => {
      for (let last = false; !last; ) {
        last = !writing;
        const page = (
          await two.ask(`GET /api/admin/search/events?limit=7&cursor=${cursor}`)
        ).json();
        polled.push(...page.events.map(({ id }: { id: number }) => id));
        cursor = page.nextCursor;
        if (page.events.length > 0) last = false;
      }
    };
    const write = async (writer: number) => {
      const instance = writer % 2 === 0 ? one : two;
      for (let number = 0; number < changes; number += 1) {
        const response = await instance.ask('POST /api/admin/projects', {
          payload: { id: `w${writer}-${number}`, name: `Project ${number} of writer ${writer}` },
        });
        expect(response.statusCode, response.body).toBe(201);
      }
    };
    const poller = poll();
    await Promise.all(range(0, 8).map(write));
    writing = false;
    await poller;

    const end = await lastId();
    expect(end - start).toBeGreaterThanOrEqual(8 * changes);
    expect(polled).toEqual(range(start, end));
    for (const tail of tails) {
      await tail.until(end);
      expect(tail.ids).toEqual(range(start, end));
      tail.stop();
    }
  });

  test('resumes after Last-Event-ID, however old it is', async () => {
    const start = await lastId();
    await happen(one.db, ...Array.from({ length: 100 }, () => ({})));
    const tail = await follow(urls[1] as string, { 'last-event-id': String(start) });
    await happen(one.db, {}, {}, {});
    await tail.until(start + 103);
    expect(tail.ids).toEqual(range(start, start + 103));
    tail.stop();
  });

  test('sends only events that match the filter, including the text', async () => {
    const start = await lastId();
    const tail = await follow(`${urls[0]}?project=IS:followed&query=needle`);
    await happen(
      one.db,
      { project: 'followed', data: { note: 'hay' } },
      { project: 'followed', data: { note: 'a Needle' } },
      { project: 'elsewhere', data: { note: 'needle' } },
      { project: 'followed', data: { note: 'needles' } },
    );
    await tail.until(start + 4);
    expect(tail.ids).toEqual([start + 2, start + 4]);
    tail.stop();
  });

  test('returns 400 for an invalid Last-Event-ID', async () => {
    const response = await fetch(urls[0] as string, {
      headers: { authorization: adminToken, accept: 'text/event-stream', 'last-event-id': 'abc' },
    });
    expect(response.status).toBe(400);
  });

  test('sends an id to resume from before the first event', async () => {
    const start = await lastId();
    const response = await fetch(`${urls[0]}?project=IS:quiet`, {
      headers: { authorization: adminToken, accept: 'text/event-stream' },
    });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first).toContain(`\nid: ${start}\n\n`);
    await reader?.cancel();
  });

  test('does not start a tail or an export for HEAD', async () => {
    for (const accept of ['text/event-stream', 'application/x-ndjson']) {
      const response = await one.app.inject({
        method: 'HEAD',
        url: '/api/admin/search/events',
        headers: { authorization: adminToken, accept },
      });
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toContain(accept);
      expect(response.body).toBe('');
    }
  });

  test('uses the first of several accepted types', async () => {
    const response = await one.ask('GET /api/admin/search/events?limit=1', {
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect(response.json().events).toHaveLength(1);
  });

  test('ends when the server stops', async () => {
    const third = await appOn(one);
    await third.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = third.app.server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/admin/search/events`, {
      headers: { authorization: adminToken, accept: 'text/event-stream' },
    });
    const ended = response.text();
    await third.app.close();
    expect(await ended).toContain('following behind');
  });
});

describe('event exports', () => {
  const exported = (accept: string, parameters = '') =>
    one.ask(`GET /api/admin/search/events?${parameters}`, { headers: { accept } });

  test('return the complete result as NDJSON, one event per line, with the data for verification', async () => {
    const end = await lastId();
    const response = await exported('application/x-ndjson', 'order=asc');
    const lines = response.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ id }) => id)).toEqual(range(0, end));
    expect(lines[5]).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      proof: {
        previous: lines[4].hash,
        actorSeal: expect.stringMatching(/^[0-9a-f]{32}$/),
        subjectKeys: null,
        subjectSeal: null,
      },
    });
  });

  test('respect the limit and the filters', async () => {
    const response = await exported('application/x-ndjson', 'limit=3&query=needle&order=asc');
    expect(response.body.trimEnd().split('\n')).toHaveLength(3);
    const none = await exported('application/x-ndjson', 'project=IS:nowhere');
    expect(none.statusCode).toBe(200);
    expect(none.body).toBe('');
  });

  test('fail if events are rewritten meanwhile, so that they never contain an inconsistent log', async () => {
    const other = await testApp();
    await happen(other.db, ...Array.from({ length: 900 }, () => ({ by: { id: 9, name: 'ada' } })));
    const readers = createSearchPool(other.connection, createLogger('silent'), 4);
    closeLater(() => readers.destroy());
    const search = createSearch(readers, createReadSnapshot(readers));
    const paging = { order: 'desc', limit: 1000, offset: 0, after: undefined } as const;
    const pieces = exportEvents(search, {}, paging, { ip: true, proof: true }, ndjson);
    const read = async () => {
      for await (const _piece of pieces) {
        await forgetEverywhere(other.transact, testActor, 9).catch(() => undefined);
      }
    };
    await expect(read()).rejects.toThrow('rewritten');
  });

  test('have a header line, quotes and disarmed formulas in CSV', async () => {
    await happen(one.db, {
      featureName: '=cmd|calc',
      project: 'csv',
      data: { note: 'a "b", c\nd' },
    });
    const response = await exported('text/csv', 'project=IS:csv');
    const [head, line] = response.body.split('\r\n');
    expect(response.headers['content-type']).toContain('text/csv');
    expect(head).toMatch(/^id,createdAt,type,createdBy,/);
    expect(line).toContain(`,csv,'=cmd|calc,`);
    expect(line).toContain('"{""note"":""a \\""b\\"", c\\nd""}"');
  });
});
