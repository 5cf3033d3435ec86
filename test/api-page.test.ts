import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from './support/app.ts';

let app: TestApp['app'];
beforeAll(async () => {
  ({ app } = await testApp());
});

// test/api-page.proof.ts opens it in a browser, which takes 15 s to render all operations.
describe('the API documentation page', () => {
  test.each(['/docs/openapi', '/docs/openapi/'])('at %s refers to existing files', async (path) => {
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
