import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest as test, withBrowser } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { make } from '../support/make.ts';
import { frontendToken } from '../support/tokens.ts';
import { addressOf } from './server-sdk.ts';

let app: TestApp;
let url: string;

/** Serves an empty page and returns its origin. */
async function site(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>shop</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  app = await testApp();
  url = await addressOf(app);
  await make(app.ask).feature('shown');
  await make(app.ask).switchedOn('shown');
});

/** Runs in the page. */
const script = (token: string) => `(async () => {
  const headers = {
    authorization: ${JSON.stringify(token)},
    'unleash-appname': 'page',
    'unleash-sdk': 'test',
  };
  const ask = async (path, more = {}) => {
    try {
      const sent = { ...more, headers: { ...headers, ...more.headers }, cache: 'no-store' };
      const answer = await fetch(${JSON.stringify(url)} + path, sent);
      const text = await answer.text();
      return { status: answer.status, etag: answer.headers.get('etag') ?? '', text };
    } catch (error) {
      return { status: 0, etag: '', text: String(error) };
    }
  };
  const body = { headers: { 'content-type': 'application/json' }, method: 'POST', body: '{}' };
  const first = await ask('/api/frontend?userId=1');
  return [
    first,
    await ask('/api/frontend?userId=1', { headers: { 'if-none-match': first.etag } }),
    await ask('/api/frontend', body),
    await ask('/ofrep/v1/evaluate/flags/shown', body),
    await ask('/ofrep/v1/evaluate/flags/none', body),
  ];
})()`;

/** What a script in a page of this origin can read: the responses, or the network errors. */
async function readBy(
  context: BrowserContext,
  origin: string,
  token = frontendToken,
): Promise<unknown[]> {
  const page = await context.newPage();
  await page.goto(origin);
  const read = await page.evaluate<unknown[]>(script(token));
  await page.close();
  return read;
}

const allow = (...frontendApiOrigins: string[]) =>
  app.ask('POST /api/admin/ui-config/cors', { payload: { frontendApiOrigins } });

withBrowser('a page of another origin', () => {
  test('can read evaluations and their ETag if its origin is allowed', async ({ context }) => {
    const origin = await site();
    await allow(origin);
    const [first, again, posted, flag, missing] = await readBy(context, origin);
    const shown = { status: 200, text: expect.stringContaining('"shown"') };
    expect(first).toMatchObject({ ...shown, etag: expect.stringMatching(/^W\/".+"$/) });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(posted).toMatchObject(shown);
    expect(flag).toMatchObject(shown);
    expect(missing).toMatchObject({ status: 404, text: expect.stringContaining('FLAG_NOT_FOUND') });
  });

  test('can read the reason of an error', async ({ context }) => {
    const origin = await site();
    await allow('*');
    const [first] = await readBy(context, origin, '*:development.none');
    expect(first).toMatchObject({
      status: 401,
      text: expect.stringContaining('AuthenticationRequired'),
    });
  });

  test('cannot read anything if only another origin is allowed', async ({ context }) => {
    const [origin, other] = [await site(), await site()];
    await allow(other);
    for (const read of await readBy(context, origin)) {
      expect(read).toMatchObject({ status: 0, text: expect.stringContaining('Failed to fetch') });
    }
  });
});
