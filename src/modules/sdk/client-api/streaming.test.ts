import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { adminToken, clientToken } from '../../../../test/support/tokens.ts';

const address = async ({ app }: TestApp): Promise<string> => {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
};

let app: TestApp;
let other: TestApp;
/** How far the first server's clock is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(Date.now() + aheadMs) });
  other = await appOn(app);
  await Promise.all([address(app), address(other)]);
});

interface Frame {
  readonly id: string;
  readonly event: string;
  readonly events: { readonly type: string; readonly [key: string]: unknown }[];
  /** The data of the event, as JSON. */
  readonly data: string;
}

interface ClientFeature {
  readonly enabled: boolean;
  readonly strategies: readonly unknown[];
}

const waiting = { timeout: 60_000, interval: 5 };

/** Reads a stream as SDKs do. Returns the events so far, and whether the server has ended it. */
async function follow({
  at = app,
  token = clientToken,
  query = '',
  lastEventId = undefined as string | undefined,
  spec = undefined as string | undefined,
} = {}) {
  const abort = new AbortController();
  const response = await fetch(`${await address(at)}/api/client/streaming${query}`, {
    headers: {
      authorization: token,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      ...(spec !== undefined && { 'unleash-client-spec': spec }),
    },
    signal: abort.signal,
  });
  expect(response.status).toBe(200);
  const seen = { text: '', frames: [] as Frame[], ended: false, headers: response.headers };
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const text = decoder.decode(chunk as Uint8Array, { stream: true });
      seen.text += text;
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, id = '', event = '', data] =
          /^(?:retry: \d+\n)?id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (data !== undefined) {
          seen.frames.push({ id, event, events: JSON.parse(data).events, data });
        }
      }
    }
    seen.ended = true;
  };
  read().catch(() => undefined);
  return {
    seen,
    stop: () => abort.abort(),
    frame: async (index: number): Promise<Frame> => {
      await expect.poll(() => seen.frames.length, waiting).toBeGreaterThan(index);
      return seen.frames[index] as Frame;
    },
  };
}

const types = ({ events }: Frame) => events.map(({ type }) => type);

const newToken = async (more: object = {}): Promise<{ id: number; secret: string }> =>
  (
    await app.ask('POST /api/admin/api-tokens', {
      payload: { tokenName: 'streamer', type: 'client', ...more },
    })
  ).json();

describe('a stream', () => {
  test('begins with all features and continues with each change', async () => {
    await make(app.ask).feature('streamed');
    const stream = await follow();
    const { seen } = stream;
    expect(seen.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(seen.headers.get('cache-control')).toBe('no-store');
    expect(seen.headers.get('x-accel-buffering')).toBe('no');
    expect(seen.headers.get('x-content-type-options')).toBe('nosniff');
    const first = await stream.frame(0);
    expect(first.event).toBe('unleash-connected');
    expect(seen.text).toMatch(/^retry: \d+\n/);
    expect(first.events).toEqual([
      {
        type: 'hydration',
        eventId: expect.any(Number),
        features: [expect.objectContaining({ name: 'streamed', enabled: false })],
        segments: [],
      },
    ]);

    await make(app.ask).switchedOn('streamed');
    const second = await stream.frame(1);
    expect(second.event).toBe('unleash-updated');
    expect(second.events).toEqual([
      {
        type: 'feature-updated',
        eventId: expect.any(Number),
        feature: expect.objectContaining({ name: 'streamed', enabled: true }),
      },
    ]);
    expect(second.id).not.toBe(first.id);
    await app.ask('DELETE /api/admin/projects/default/features/streamed');
    expect((await stream.frame(2)).events).toMatchObject([
      { type: 'feature-removed', featureName: 'streamed', project: 'default' },
    ]);
    stream.stop();
  });

  test('contains changes made on another instance, and none outside its query', async () => {
    await make(app.ask).project('quiet');
    // Only these names, because the instance may not know earlier changes yet.
    const [afar, own] = [
      await follow({ at: other, query: '?namePrefix=from-afar' }),
      await follow({ query: '?project=quiet' }),
    ];
    await Promise.all([afar.frame(0), own.frame(0)]);
    await make(app.ask).feature('from-afar');
    expect(types(await afar.frame(1))).toEqual(['feature-updated']);
    await make(other.ask).feature('near', { project: 'quiet' });
    expect((await own.frame(1)).events).toMatchObject([{ feature: { name: 'near' } }]);
    expect(own.seen.frames).toHaveLength(2);
    afar.stop();
    own.stop();
  });

  test('resumes after the last event id with new changes, on any instance', async () => {
    const query = '?namePrefix=resumed';
    await make(app.ask).feature('resumed');
    const known = () =>
      other.ask('GET /api/client/features/resumed', { headers: { authorization: clientToken } });
    await expect.poll(async () => (await known()).statusCode, waiting).toBe(200);
    // The open streams keep the earlier content on both instances.
    const [here, there] = [await follow({ query }), await follow({ query, at: other })];
    const { id } = await here.frame(0);
    await there.frame(0);
    await make(app.ask).switchedOn('resumed');
    await Promise.all([here.frame(1), there.frame(1)]);
    for (const at of [app, other]) {
      const again = await follow({ query, at, lastEventId: id });
      const { event, events } = await again.frame(0);
      expect(event).toBe('unleash-updated');
      expect(events).toMatchObject([{ type: 'feature-updated', feature: { name: 'resumed' } }]);
      again.stop();
    }
    const { id: now } = await there.frame(1);
    const idle = await follow({ query, lastEventId: now });
    await expect.poll(() => idle.seen.text, waiting).toMatch(/^retry: \d+\nid: \S+\n\n$/);
    await make(app.ask).feature('resumed-again');
    expect(types(await idle.frame(0))).toEqual(['feature-updated']);
    for (const { stop } of [here, there, idle]) stop();
  });

  test('starts again if the last event id is unknown or of another query', async () => {
    const stream = await follow();
    const { id } = await stream.frame(0);
    for (const [lastEventId, query] of [
      ['12', ''],
      [id, '?project=default'],
      ['x:1:y', ''],
    ] as const) {
      const again = await follow({ lastEventId, query });
      expect(types(await again.frame(0))).toEqual(['hydration']);
      again.stop();
    }
    stream.stop();
  });

  test('contains each of many changes in a row once and in order', async () => {
    const stream = await follow({ query: '?namePrefix=burst' });
    await stream.frame(0);
    for (let number = 0; number < 40; number += 1) {
      await make(app.ask).feature(`burst-${String(number).padStart(2, '0')}`);
    }
    const featuresSent = () =>
      stream.seen.frames
        .slice(1)
        .flatMap(({ events }) => events)
        .map(({ feature }) => (feature as { name: string }).name);
    await expect.poll(() => featuresSent().at(-1), waiting).toBe('burst-39');
    expect(featuresSent()).toEqual([...new Set(featuresSent())].sort());
    expect(featuresSent()).toHaveLength(40);
    stream.stop();
  });

  test('contains keep-alive comments when nothing changes', async () => {
    const stream = await follow();
    await stream.frame(0);
    aheadMs += 21_000;
    await expect.poll(() => stream.seen.text.endsWith('\n\n:\n\n'), waiting).toBe(true);
    stream.stop();
  });

  test('is a single JSON response if the client does not accept event streams, and is empty for HEAD', async () => {
    const response = await app.ask('GET /api/client/streaming', {
      headers: { authorization: clientToken },
    });
    expect(response.headers['content-type']).toContain('application/json');
    expect(response.json().events[0].type).toBe('hydration');
    const head = await app.app.inject({
      method: 'HEAD',
      url: '/api/client/streaming',
      headers: { authorization: clientToken, accept: 'text/event-stream' },
    });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers['content-type']).toContain('text/event-stream');
    const whatever = await fetch(`${await address(app)}/api/client/streaming`, {
      headers: { authorization: clientToken, accept: '*/*' },
    });
    expect(whatever.headers.get('content-type')).toContain('text/event-stream');
    await whatever.body?.cancel();
  });
});

describe('a stream ends', () => {
  test('when its token is revoked, on every instance, while others continue', async () => {
    const { id, secret } = await newToken();
    const [here, there] = [
      await follow({ token: secret }),
      await follow({ token: secret, at: other }),
    ];
    const others = await follow();
    await Promise.all([here.frame(0), there.frame(0), others.frame(0)]);
    await app.ask(`DELETE /api/admin/api-tokens/${id}`);
    await expect.poll(() => [here.seen.ended, there.seen.ended], waiting).toEqual([true, true]);
    await make(app.ask).feature('after-the-end');
    await others.frame(1);
    expect(others.seen.ended).toBe(false);
    expect(here.seen.text + there.seen.text).not.toContain('after-the-end');
    others.stop();
  });

  test('when its token expires', async () => {
    const soon = new Date(Date.now() + aheadMs + 60_000).toISOString();
    const { secret } = await newToken({ expiresAt: soon });
    const stream = await follow({ token: secret });
    await stream.frame(0);
    await wait(50);
    expect(stream.seen.ended).toBe(false);
    aheadMs += 61_000;
    await expect.poll(() => stream.seen.ended, waiting).toBe(true);
  });

  test('when the projects of its token change', async () => {
    const create = make(app.ask);
    await create.project('narrowed');
    const { secret } = await newToken({ projects: ['default', 'narrowed'] });
    const stream = await follow({ token: secret });
    await stream.frame(0);
    await app.ask('DELETE /api/admin/projects/narrowed');
    await expect.poll(() => stream.seen.ended, waiting).toBe(true);
    const { id } = stream.seen.frames.at(-1) as Frame;
    const again = await follow({ token: secret, lastEventId: id });
    expect(types(await again.frame(0))).toEqual(['hydration']);
    again.stop();
  });

  test('when its environment is deleted, after its features were removed', async () => {
    const create = make(app.ask);
    await create.environment('passing');
    await app.ask('POST /api/admin/projects/default/environments', {
      payload: { environment: 'passing' },
    });
    await create.feature('passing-feature');
    const { secret } = await newToken({ environment: 'passing' });
    const stream = await follow({ token: secret, query: '?namePrefix=passing-' });
    const admin = await follow({
      token: adminToken,
      query: '?environment=passing&namePrefix=passing-',
    });
    await Promise.all([stream.frame(0), admin.frame(0)]);
    await app.ask('DELETE /api/admin/projects/default/environments/passing');
    for (const { frame } of [stream, admin]) {
      expect((await frame(1)).events).toMatchObject([
        { type: 'feature-removed', featureName: 'passing-feature' },
      ]);
    }
    const response = await app.ask('DELETE /api/admin/environments/passing');
    expect(response.statusCode, response.body).toBeLessThan(300);
    await expect.poll(() => stream.seen.ended, waiting).toBe(true);
    expect(admin.seen.ended).toBe(false);
    admin.stop();
  });

  test('when its server stops, without delaying the stop', async () => {
    const third = await appOn(app);
    const stream = await follow({ at: third });
    await stream.frame(0);
    await third.app.close();
    await expect.poll(() => stream.seen.ended, waiting).toBe(true);
  });

  test('for a client that does not read, without delaying others', async () => {
    const reader = await follow({ query: '?namePrefix=heavy' });
    await reader.frame(0);
    const { port } = new URL(await address(app));
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const lines = [
      'GET /api/client/streaming?namePrefix=heavy HTTP/1.1',
      'Host: localhost',
      `Authorization: ${clientToken}`,
      'Accept: text/event-stream',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await once(socket, 'readable');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    // Each change sends the whole feature: more than half a megabyte.
    await make(app.ask).feature('heavy');
    const values = Array.from({ length: 250 }, (_, index) => `${index}`.padStart(90, 'x'));
    const constraints = Array.from({ length: 5 }, () => ({
      contextName: 'userId',
      operator: 'IN',
      values,
    }));
    for (let count = 0; count < 6; count += 1)
      await make(app.ask).strategy('heavy', { constraints });
    // Comparing whole features every few milliseconds would take most of the time.
    const lastState = () =>
      (reader.seen.frames.at(-1)?.events as { feature?: ClientFeature }[] | undefined)?.map(
        ({ feature }) => ({ enabled: feature?.enabled, strategies: feature?.strategies.length }),
      );
    const path = '/api/admin/projects/default/features/heavy/environments/development';
    for (let round = 0; round < 40; round += 1) {
      const enabled = round % 2 === 0;
      await app.ask(`POST ${path}/${enabled ? 'on' : 'off'}`);
      // Two changes that are sent together would be none.
      await expect.poll(lastState, waiting).toEqual([{ enabled, strategies: 6 }]);
    }
    socket.resume();
    await closed;
    expect(reader.seen.ended).toBe(false);
    reader.stop();
  });
});

describe('an SDK whose client spec does not support changes', () => {
  /** Returns what polling sends such an SDK at the same time. */
  const polled = async (spec: string) => {
    const headers = { authorization: clientToken, 'unleash-client-spec': spec };
    return (await app.ask('GET /api/client/features', { headers })).body;
  };

  test.each(['4.5.2', '5.1.9', '4.1.0'])('(%s) gets all features each time', async (spec) => {
    const name = `whole-${spec}`;
    await make(app.ask).feature(name);
    const { id } = await make(app.ask).segment(name);
    await make(app.ask).strategy(name, { segments: [id] });
    const stream = await follow({ spec });
    const first = await stream.frame(0);
    expect([first.event, first.data]).toEqual(['unleash-connected', await polled(spec)]);
    await make(app.ask).switchedOn(name);
    const second = await stream.frame(1);
    expect([second.event, second.data]).toEqual(['unleash-updated', await polled(spec)]);
    stream.stop();

    await app.ask(`DELETE /api/admin/projects/default/features/${name}`);
    const back = await follow({ spec, lastEventId: second.id });
    expect((await back.frame(0)).data).toBe(await polled(spec));
    back.stop();
  });

  test('gets the same change as a current SDK, each in its format', async () => {
    await make(app.ask).feature('told-twice');
    const [old, current] = [await follow({ spec: '4.5.2' }), await follow({ spec: '5.2.0' })];
    await Promise.all([old.frame(0), current.frame(0)]);
    await make(app.ask).switchedOn('told-twice');
    expect(types(await current.frame(1))).toEqual(['feature-updated']);
    expect((await old.frame(1)).data).toBe(await polled('4.5.2'));
    old.stop();
    current.stop();
  });

  test('gets the same from a single request', async () => {
    const headers = { authorization: clientToken, 'unleash-client-spec': '4.5.2' };
    const once = await app.ask('GET /api/client/streaming', {
      headers: { ...headers, accept: 'application/json' },
    });
    expect(once.body).toBe(await polled('4.5.2'));
  });
});
