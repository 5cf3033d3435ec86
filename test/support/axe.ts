import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Only WCAG rules. Others check landmarks, which a page behind a dialog does not have. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Waits for animations to end, because colors that fade in have too little contrast. Ignores endless animations. */
const settled = `Promise.allSettled(
  document.getAnimations()
    .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
    .map((each) => each.finished),
).then(() => undefined)`;

/** Counts changes of elements and attributes. Text may change, because some of it counts seconds. */
const watch = `(() => {
  let changes = 0;
  const count = (list) => { changes += list.length; };
  const observer = new MutationObserver(count);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  globalThis.endWatch = () => {
    count(observer.takeRecords());
    observer.disconnect();
    return changes;
  };
})()`;

interface Scope {
  /** Tags of the rules to check. All rules otherwise. */
  readonly runOnly?: readonly string[];
  /** Selectors of elements to leave out. */
  readonly exclude?: readonly string[];
}

/**
 * Runs axe and returns one line for each violation with its element. It runs again if the page changed meanwhile,
 * because a partly rendered page has violations that no user sees.
 */
export async function faultsOf(
  page: Page,
  { runOnly, exclude = [] }: Scope = {},
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const context = JSON.stringify({ exclude });
  // It would fetch style sheets and media again, for rules about neither.
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly, preload: false });
  for (;;) {
    await page.evaluate(settled);
    await page.evaluate(watch);
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${context}, ${options})`);
    if ((await page.evaluate<number>('endWatch()')) > 0) continue;
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  }
}

/** Shows the page in dark on a phone, and returns what is wrong with it there, also if it is too wide. */
export async function faultsOnPhone(page: Page): Promise<string[]> {
  const width = 360;
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  const faults = await faultsOf(page, { runOnly: wcag });
  const shown = await page.evaluate<number>('document.documentElement.scrollWidth');
  return shown > width ? [...faults, `It is ${shown} px wide`] : faults;
}
