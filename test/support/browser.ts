import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';
import { closeLater } from './closing.ts';

/** Where browsers are installed; a machine without one skips tests that need it, unless it set CHROMIUM. */
const executablePath =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

if (executablePath === undefined) {
  process.stderr.write(
    'Tests in a browser are left out, because there is no Chromium. Install one (Debian: apt install chromium), or set CHROMIUM to the path of one.\n',
  );
}

export const withBrowser = describe.skipIf(executablePath === undefined);

/** For a test file, which closes it; undefined where there is none. */
export async function launchBrowser(): Promise<Browser | undefined> {
  if (executablePath === undefined) return;
  // Without them Chromium draws by a graphics card that it imitates, and looks for updates: a third of each page's time.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath, args });
  closeLater(() => browser.close());
  return browser;
}
