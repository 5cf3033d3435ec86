import { existsSync } from 'node:fs';
import { type Browser, firefox } from 'playwright-core';
import { describe } from 'vitest';
import { testApp } from './app.ts';
import { patienceMs } from './browser.ts';
import { closeLater } from './closing.ts';
import { complaintsOf } from './page-test.ts';

const installed =
  process.env.FIREFOX ??
  ['firefox-esr', 'firefox'].map((name) => `/usr/bin/${name}`).find(existsSync);

if (installed === undefined) {
  process.stderr.write(
    'Tests in Firefox are left out, because there is no Firefox. Install one (Debian: apt install firefox-esr), or set FIREFOX to the path of one.\n',
  );
}

export const withFirefox = describe.skipIf(installed === undefined);

interface Session {
  send: (method: string, parameters: unknown) => Promise<unknown>;
}

/**
 * Firefox ESR does not know this command, which Playwright sends for every window. It emulates a color scheme, which no
 * test in Firefox needs.
 */
function withoutEmulatedMedia(browser: Browser): Browser {
  const { _connection: connection } = browser as unknown as {
    _connection: { toImpl: (browser: unknown) => { _browserSession: Session } };
  };
  const { _browserSession: session } = connection.toImpl(browser);
  const send = session.send.bind(session);
  session.send = async (method, parameters) =>
    method === 'emulation.setMediaFeaturesOverride' ? {} : send(method, parameters);
  return browser;
}

/** A window of an installed Firefox and a server, for one test file. `complaints` are those of `complaintsOf`. */
export async function firefoxPage() {
  const api = await testApp();
  const origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
  if (installed === undefined) throw new Error('There is no Firefox');
  // This channel is an unmodified Firefox, which speaks WebDriver BiDi.
  const browser = withoutEmulatedMedia(
    await firefox.launch({
      channel: 'moz-firefox',
      executablePath: installed,
      timeout: patienceMs,
    }),
  );
  // Before the server, which would wait for connections of the browser.
  closeLater(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(patienceMs);
  page.on('dialog', (dialog) => void dialog.accept());
  return { api, origin, page, complaints: complaintsOf(page) };
}
