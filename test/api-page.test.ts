import { describe, expect, test } from 'vitest';
import { testApp } from './support/app.ts';
import { browseApi } from './support/browsed-api.ts';
import { browserTest, withBrowser } from './support/browser.ts';

describe('the API documentation page', () => {
  test.each(['/docs/openapi', '/docs/openapi/'])('at %s refers to existing files', async (path) => {
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

withBrowser('the API documentation page in a browser', () => {
  // Rendering all operations takes a browser 15 s: test/api-page.proof.ts waits for that.
  browserTest('lists operations and sends no requests to other sites', ({ context }) =>
    browseApi(context, (path) => path.startsWith('/api/admin/search')),
  );
});
