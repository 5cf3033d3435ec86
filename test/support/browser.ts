import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe, test } from 'vitest';
import { closeLater } from './closing.ts';

/**
 * Where browsers are installed. Without one, browser tests are skipped unless CHROMIUM is set. The first has no window
 * and needs a quarter less time.
 */
const installed =
  process.env.CHROMIUM ??
  ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .map((name) => `/usr/bin/${name}`)
    .find(existsSync);

if (installed === undefined) {
  process.stderr.write(
    'Tests in a browser are left out, because there is no Chromium. Install one (Debian: apt install chromium-headless-shell), or set CHROMIUM to the path of one.\n',
  );
}

export const withBrowser = describe.skipIf(installed === undefined);

/**
 * How long a test waits for something in a browser. It only ends tests that hang, because a busy machine may be slow.
 */
export const patienceMs = 120_000;

let running: Promise<Browser> | undefined;

function launch(executablePath: string | undefined): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium');
  const args = [
    // Otherwise Chromium emulates a graphics card and looks for updates: a third of the time of each page.
    ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    // Fewer processes: they took a sixth of the time.
    ...['--in-process-gpu', '--no-zygote', '--disable-site-isolation-trials'],
  ];
  // On a busy machine, the start takes longer than the default of half a minute.
  return chromium.launch({ executablePath, args, timeout: patienceMs });
}

/** Tests in a browser: one browser per worker, because each start takes a second, and one context per file. */
export const browserTest = test
  .extend('executablePath', { scope: 'worker' }, () => installed)
  .extend('browser', { scope: 'worker' }, async ({ executablePath }, { onCleanup }) => {
    running ??= launch(executablePath);
    const browser = await running;
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('context', { scope: 'file' }, async ({ browser }) => {
    const context = await browser.newContext();
    context.setDefaultTimeout(patienceMs);
    // Before the server, which would wait for connections of the browser.
    closeLater(() => context.close());
    return context;
  });
