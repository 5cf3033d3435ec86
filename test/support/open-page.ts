import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface OpenedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the policy of the page refused, and what its scripts did not catch. */
  readonly complaints: string[];
}

/** A browser of somebody who was never here. */
export async function openPage(browser: Browser): Promise<OpenedPage> {
  const complaints: string[] = [];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
  return { context, page, complaints };
}
