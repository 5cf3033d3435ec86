import { describe, expect, test } from 'vitest';
import { testApp } from './support/app.ts';
import { launchBrowser, withBrowser } from './support/browser.ts';

describe('the page to browse the API', () => {
  test.each(['/docs/openapi', '/docs/openapi/'])('%s finds its files', async (path) => {
    const { app } = await testApp();
    const { body } = await app.inject({ url: path });
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address = '']) => new URL(address, `http://burgee.test${path}`).pathname,
    );
    expect(files).toHaveLength(5);
    for (const url of files) {
      const { statusCode, headers, rawPayload } = await app.inject({ url });
      expect(statusCode, url).toBe(200);
      expect(headers['content-type']).toMatch(
        /^(text\/(css|javascript); charset=utf-8|image\/png)$/,
      );
      expect(rawPayload.length).toBeGreaterThan(100);
    }
  });
});

withBrowser('in a browser, the page to browse the API', () => {
  test('lists the operations, and asks nobody else for anything', async () => {
    const { app } = await testApp();
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    const browser = await launchBrowser();
    const page = await browser?.newPage();
    if (!page) return;
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    const complaints: string[] = [];
    page.on('pageerror', (error) => void complaints.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text()))
        complaints.push(message.text());
    });
    // It leads to /docs/openapi.
    await page.goto(`${origin}/`);
    await page.getByText('/api/admin/search/events').first().waitFor({ timeout: 60_000 });
    expect(new URL(page.url()).pathname).toBe('/docs/openapi');
    expect(await page.title()).toBe('Burgee API');
    expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
