import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type TestApp, testApp } from './app.ts';
import { browserTest, patienceMs } from './browser.ts';
import { closeLater } from './closing.ts';
import { cookieOf, goodPassword, logIn, newcomer } from './visitor.ts';

/**
 * Shared by all tests of a worker, because the browser keeps what it loaded and compiled: a load takes 0.9 s of CPU
 * this way, and 3 s in a new page.
 */
let shared: Promise<Page> | undefined;
let port = 0;
let listening: TestApp | undefined;

const leave = async () => (await shared)?.goto('about:blank');

/** The port stays the same, because the browser keeps what it loaded by address: one server listens at a time. */
async function listen(api: TestApp): Promise<string> {
  await leave();
  await listening?.app.close();
  const host = '127.0.0.1';
  const origin = await api.app
    .listen({ port, host })
    // Something else took it between two files.
    .catch(() => api.app.listen({ port: 0, host }));
  port = Number(new URL(origin).port);
  listening = api;
  // Before the server, which would wait for connections of the browser.
  closeLater(leave);
  return origin;
}

const wide = { width: 1280, height: 900 };

async function openPage(browser: Browser): Promise<Page> {
  // No one watches dialogs slide in, and each of their frames costs time.
  const page = await browser.newPage({ viewport: wide, reducedMotion: 'reduce' });
  page.setDefaultTimeout(patienceMs);
  await page.addInitScript(`{
    const notices = (globalThis.shownNotices = []);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const each of [node, ...node.querySelectorAll('[role=alert]')])
              if (each.matches('[role=alert]')) notices.push(each.textContent);
    }).observe(document, { childList: true, subtree: true });
  }`);
  // Leaving a page with unsaved changes asks for confirmation. Tests confirm.
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

/** Removes everything a test left in the browser. */
async function forget(page: Page, origin: string): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // This page runs no scripts but keeps compiled code in memory, which an empty page would not.
  await page.goto(`${origin}/burgee.svg`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: null });
}

/** Not thrown by a script: the browser defers measurements to the next frame. */
export const isBrowsersOwn = ({ message }: Error) => message.startsWith('ResizeObserver loop');

/** Collects violations of the content security policy and uncaught errors. */
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
 * Replaces all text of an editor by pasting. When typing over text, Chromium sometimes adds an inline style to keep
 * its look, which the policy forbids.
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

/** Fills in the sign-in form and submits it. */
export async function fillSignIn(page: Page, username: string, password = goodPassword) {
  await page.getByLabel('Username or email').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * Waits until the page has shown a notice. A notice disappears after a few seconds, which may be before a busy machine
 * looks for it.
 */
export const untilNoticed = (page: Page, text: string): Promise<void> =>
  expect
    .poll(() => page.evaluate<string[]>('shownNotices'))
    .toContainEqual(expect.stringContaining(text));

/** The URL as the page sees it. The browser reports it to tests a moment later. */
export const locationOf = async (page: Page): Promise<URL> =>
  new URL(await page.evaluate<string>('location.href'));

/**
 * Presses g and e until the event log opens, because both must follow each other quickly, which a busy machine may
 * miss.
 */
export const goToLogByKeys = (page: Page, origin: string): Promise<void> =>
  expect
    .poll(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      return (await locationOf(page)).href;
    })
    .toBe(`${origin}/history`);

/** Opens the palette and types in it. It loads on demand, and keys pressed before that are lost. */
export async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
}

/** The option that Enter chooses. */
export const selectedInPalette = (page: Page, name: string): Locator =>
  page.locator('[data-combobox-selected]').filter({ hasText: name });

/** Waits until the page gets the changes of others as they happen. */
export const untilLive = (page: Page): Promise<void> =>
  page.locator('[data-connection=live]').waitFor({ state: 'attached' });

interface Router {
  readonly navigate: (target: { readonly href: string }) => Promise<void>;
}

/** Navigates like a link, without reloading the page. */
export const moveTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    (href) =>
      (globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.navigate({ href }),
    path,
  );

interface Who {
  /** 1 Admin (the default), 2 Editor, 3 Viewer. */
  readonly rootRole?: number;
  /** By project: 4 Owner, 5 Member. */
  readonly roles?: Readonly<Record<string, number>>;
}

/** Gives a browser the session of someone new, without the form. */
export async function signInTo(
  api: TestApp,
  context: BrowserContext,
  origin: string,
  { rootRole = 1, roles = {} }: Who = {},
) {
  const somebody = await newcomer(api, { rootRole });
  for (const [project, role] of Object.entries(roles)) {
    const address = `/api/admin/projects/${project}/users/${somebody.id}/roles`;
    await api.ask(`PUT ${address}`, { payload: { roles: [role] } });
  }
  const [name = '', value = ''] = cookieOf(await logIn(api, somebody)).split('=');
  await context.addCookies([{ name, value, url: origin }]);
  return somebody;
}

/**
 * Browser tests with one server for each call: `api` sends requests as the administrator, `origin` is its URL, `page`
 * is a browser without a session. `signIn` gives it the session of a new user without the form, and `visit` opens a
 * URL with it. A test fails if the page violates its content security policy or throws. Tests that add scripts or
 * change the clock must open their own page from `context`, because `page` would keep them.
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
