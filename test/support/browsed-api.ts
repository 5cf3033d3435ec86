import type { BrowserContext } from 'playwright-core';
import { expect } from 'vitest';
import { testApp } from './app.ts';
import { isBrowsersOwn } from './page-test.ts';

/** Opens the API documentation page with only the operations whose paths are kept, and checks its requests. */
export async function browseApi(
  context: BrowserContext,
  keeps: (path: string) => boolean,
): Promise<void> {
  const { app } = await testApp();
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const page = await context.newPage();
  let kept = 0;
  await page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as { paths: object };
    const paths = Object.entries(document.paths).filter(([path]) => keeps(path));
    kept = paths.length;
    await route.fulfill({ response, json: { ...document, paths: Object.fromEntries(paths) } });
  });
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  const complaints: string[] = [];
  page.on('pageerror', (error) => {
    if (!isBrowsersOwn(error)) complaints.push(String(error));
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
  });
  // It redirects to /docs/openapi.
  await page.goto(`${origin}/docs`);
  await page.getByText('/api/admin/search/events').first().waitFor({ timeout: 0 });
  expect(kept).toBeGreaterThan(0);
  expect(new URL(page.url()).pathname).toBe('/docs/openapi');
  expect(await page.title()).toBe('Burgee API');
  expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
  expect(complaints).toEqual([]);
}
