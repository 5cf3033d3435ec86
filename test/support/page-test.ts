import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type TestApp, testApp } from './app.ts';
import { browserTest, patienceMs } from './browser.ts';
import { closeLater } from './closing.ts';
import { cookieOf, goodPassword, logIn, newcomer } from './visitor.ts';

/**
 * The same for all files of a worker. What the browser has loaded and compiled serves the next test: a load takes 0.9 s
 * of a core this way, and 3 s in a new page.
 */
let shared: Promise<Page> | undefined;
let port = 0;

async function listen({ app }: TestApp): Promise<string> {
  const host = '127.0.0.1';
  const origin = await app
    .listen({ port, host })
    // Somebody else took it between two files.
    .catch(() => app.listen({ port: 0, host }));
  port = Number(new URL(origin).port);
  // Before the server, which would wait for what a browser holds open.
  closeLater(async () => (await shared)?.goto('about:blank'));
  return origin;
}

const wide = { width: 1280, height: 900 };

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: wide });
  page.setDefaultTimeout(patienceMs);
  // Whoever leaves a page with changes is asked. Tests leave.
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

/** Leaves nothing of a test to the next one. */
async function forget(page: Page, origin: string): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // Nothing of the page runs any more, and the browser keeps what it has compiled, which it does not on an empty page.
  await page.goto(`${origin}/burgee.svg`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** No script has thrown it: the browser says that it measures the rest with its next picture. */
export const isBrowsersOwn = ({ message }: Error) => message.startsWith('ResizeObserver loop');

/** What the policy of the page refuses from now on, and what its scripts do not catch. */
export function complaintsOf(page: Page): { readonly list: string[]; readonly stop: () => void } {
  const list: string[] = [];
  const onConsole = (message: { text: () => string }) => {
    if (/Content Security Policy|Refused to/.test(message.text())) list.push(message.text());
  };
  const onError = (error: Error) => {
    if (!isBrowsersOwn(error)) list.push(String(error));
  };
  page.on('console', onConsole).on('pageerror', onError);
  return {
    list,
    stop: () => void page.off('console', onConsole).off('pageerror', onError),
  };
}

/**
 * Pastes over all text of an editor. Chromium sometimes keeps the look of text that is typed over with an inline style
 * of its own, which the policy refuses.
 */
export async function pasteOver(editor: Locator, text: string): Promise<void> {
  await editor.press('ControlOrMeta+a');
  await editor.page().evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }`);
}

/** Fills in the form to sign in, and sends it. */
export async function fillSignIn(page: Page, username: string, password = goodPassword) {
  await page.getByLabel('User name or e-mail').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The address as the page has it: the browser tells a test of it a moment later. */
export const locationOf = async (page: Page): Promise<URL> =>
  new URL(await page.evaluate<string>('location.href'));

/** Presses g and e until the log opens: two letters count only soon after each other, which a busy machine may miss. */
export const goToLogByKeys = (page: Page, origin: string): Promise<void> =>
  expect
    .poll(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      return (await locationOf(page)).href;
    })
    .toBe(`${origin}/history`);

interface Router {
  readonly navigate: (target: { readonly href: string }) => Promise<void>;
}

/** Shows another address as a link does, without loading the page anew. */
export const moveTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    (href) =>
      (globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.navigate({ href }),
    path,
  );

interface Who {
  /** 1 Admin, which it is unless said otherwise, 2 Editor, 3 Viewer. */
  readonly rootRole?: number;
}

/** Gives a browser the session of somebody new, without the form. */
export async function signInTo(
  api: TestApp,
  context: BrowserContext,
  origin: string,
  { rootRole = 1 }: Who = {},
) {
  const somebody = await newcomer(api, { rootRole });
  const [name = '', value = ''] = cookieOf(await logIn(api, somebody)).split('=');
  await context.addCookies([{ name, value, url: origin }]);
  return somebody;
}

/**
 * Tests in a browser, on a server of the file's own: `api` asks it as the administrator, `origin` is its address,
 * `page` is the browser of somebody who was never here. `signIn` gives it the session of somebody new without the
 * form, and `visit` opens an address as them. A test fails if the page breaks its own policy or throws. One that adds
 * scripts to the page, or changes its clock, opens a page of its own by `context`: `page` would keep them.
 */
export const pageTest = (prepare: () => Promise<TestApp> = testApp) =>
  browserTest
    .extend('api', { scope: 'file' }, () => prepare())
    .extend('origin', { scope: 'file' }, ({ api }) => listen(api))
    .extend('page', async ({ browser, origin }, { onCleanup }) => {
      shared ??= openPage(browser);
      const page = await shared;
      await forget(page, origin);
      const complaints = complaintsOf(page);
      onCleanup(() => {
        complaints.stop();
        expect(complaints.list).toEqual([]);
      });
      return page;
    })
    .extend(
      'signIn',
      ({ api, origin, page }) =>
        (who: Who = {}) =>
          signInTo(api, page.context(), origin, who),
    )
    .extend('visit', ({ origin, page, signIn }) => async (path: string, who: Who = {}) => {
      const somebody = await signIn(who);
      await page.goto(`${origin}${path}`);
      return somebody;
    });
