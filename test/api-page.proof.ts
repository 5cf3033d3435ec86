import { expect } from 'vitest';
import { testApp } from './support/app.ts';
import { browserTest, withBrowser } from './support/browser.ts';
import { isBrowsersOwn } from './support/page-test.ts';

withBrowser('the API documentation page in a browser', () => {
  browserTest('lists all operations and sends no requests to other sites', async ({ context }) => {
    const { app } = await testApp();
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    const complaints: string[] = [];
    page.on('pageerror', (error) => {
      if (!isBrowsersOwn(error)) complaints.push(String(error));
    });
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text()))
        complaints.push(message.text());
    });
    // It redirects to /docs/openapi.
    await page.goto(`${origin}/docs`);
    await page.getByText('/api/admin/search/events').first().waitFor({ timeout: 0 });
    expect(new URL(page.url()).pathname).toBe('/docs/openapi');
    expect(await page.title()).toBe('Burgee API');
    expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
