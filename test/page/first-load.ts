import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const requested = `performance.getEntriesByType('resource').map(({ name }) => name)`;
const announced = `[...document.head.querySelectorAll('link[as=fetch]')].map(({ href }) => href)`;

/** Expects a page that has just loaded to have read its data beside its script, by the very URL that it announced. */
export async function expectEarlyRead(page: Page, path: string): Promise<void> {
  // With few features, the navigation also asks for one, to say what to do next.
  const isRead = (url: string) =>
    new URL(url).pathname === path && new URL(url).search !== '?limit=1';
  const early = (await page.evaluate<string[]>(announced)).filter(isRead);
  expect(early).toHaveLength(1);
  // Another URL would mean that what was announced is not what the view asks for.
  const all = async () => (await page.evaluate<string[]>(requested)).filter(isRead);
  // A browser notes a request after it has shown what came back.
  await expect.poll(async () => [...new Set(await all())]).toEqual(early);
}
