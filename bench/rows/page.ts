import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Bench, Experiment, Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import { featureOf, fillProject } from '../many-features.ts';
import { send } from '../send.ts';

const project = 'page-bench';
const features = Number(process.env.BENCH_FEATURES ?? 5_000);
const samples = 20;
/** No one opens a page in the moment in which the browser starts, or clicks in the moment in which a link appears. */
const lookMs = 1_000;
const account = { username: 'page-bench', password: 'blue harbour lantern' };

const executablePath =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

const rowOf = (name: string, times: readonly number[], targetMs: number): Result => {
  const ours = figureOf(times);
  return {
    name: `page: ${name}`,
    target: `p95 < ${targetMs} ms`,
    met: ours.p95Ms < targetMs,
    ours,
  };
};

/** In the page: does something, and returns how long it took until a selector with this text was painted. */
const timed = (page: Page, doing: string, selector: string, text: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const frame = () => new Promise((resume) => requestAnimationFrame(resume));
    const isThere = () => [...document.querySelectorAll(${JSON.stringify(selector)})]
      .some((each) => each.textContent.includes(${JSON.stringify(text)}));
    const began = performance.now();
    ${doing};
    while (!isThere()) await frame();
    await frame();
    return performance.now() - began;
  })()`);

const click = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).click()`;

/** React reads a value only if the field itself was changed. */
const type = (selector: string, text: string) => `
    const field = document.querySelector(${JSON.stringify(selector)});
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new Event('input', { bubbles: true }))`;

async function signedIn(browser: Browser, { burgee }: Bench): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const answer = await context.request.post(`${burgee.url}/auth/simple/login`, { data: account });
  if (!answer.ok()) throw new Error(`signing in was answered with ${answer.status()}`);
  return context.newPage();
}

async function firstViews(browser: Browser, bench: Bench): Promise<Result> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const page = await signedIn(browser, bench);
    await sleep(lookMs);
    const began = performance.now();
    await page.goto(`${bench.burgee.url}/search`, { waitUntil: 'commit' });
    await page.getByRole('link', { name: featureOf(project, 1), exact: true }).waitFor();
    times.push(performance.now() - began);
    await page.context().close();
  }
  return rowOf('first view', times, 1_000);
}

async function changes(page: Page, bench: Bench): Promise<Result[]> {
  const first: number[] = [];
  const again: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const name = featureOf(project, 100 + sample);
    // Ten fit on the screen.
    if (sample % 10 === 0) {
      await page.goto(`${bench.burgee.url}/search?query=${name.slice(0, -1)}`);
    }
    const link = `a[href$="/features/${name}"]`;
    await page.locator(link).first().waitFor();
    await sleep(lookMs);
    first.push(await timed(page, click(link), 'h1', name));
    // Whoever leaves at once has not seen all of its data.
    await sleep(lookMs);
    await page.goBack();
    await page.locator(link).first().waitFor();
    await sleep(lookMs);
    again.push(await timed(page, click(link), 'h1', name));
    await page.goBack();
  }
  return [
    rowOf('navigation to a new page', first, 300),
    rowOf('navigation to a visited page', again, 100),
  ];
}

async function palette(page: Page): Promise<Result> {
  const times: number[] = [];
  await page.keyboard.press('Control+k');
  const field = '[role=dialog] input';
  await page.locator(field).waitFor();
  for (let sample = 1; sample <= samples; sample += 1) {
    const name = featureOf(project, sample * 37);
    times.push(await timed(page, type(field, name.slice(-9)), '[role=option]', name));
  }
  await page.keyboard.press('Escape');
  return rowOf('palette results after a key', times, 100);
}

async function log(page: Page, bench: Bench): Promise<Result> {
  const times: number[] = [];
  await page.goto(`${bench.burgee.url}/history`);
  await page.locator('[data-search]').first().waitFor();
  for (let sample = 1; sample <= samples; sample += 1) {
    const name = featureOf(project, sample);
    const began = performance.now();
    await page.locator('[data-search]').first().fill(name);
    await page.locator('[data-search]').first().press('Enter');
    await page.getByText(name).nth(1).waitFor();
    times.push(performance.now() - began);
  }
  return rowOf('filtering the event log', times, 300);
}

/** What a list of context fields asks for when someone opens where one is used. */
async function usesOfField({ burgee }: Bench): Promise<Result> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const { ms } = await send(burgee, 'GET', '/api/admin/context/userId/uses');
    times.push(ms);
  }
  return rowOf('uses of a context field', times, 300);
}

const steps = 100;

/** Tasks over 50 ms while the list of all features is scrolled by the wheel: each is a frame that someone misses. Without a target, because a virtual screen draws without a graphics card. */
async function scrolling(page: Page, bench: Bench): Promise<Result> {
  await page.goto(`${bench.burgee.url}/search`);
  await page.getByRole('link', { name: featureOf(project, 1), exact: true }).waitFor();
  await sleep(lookMs);
  await page.evaluate(`
    window.longTasks = [];
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' })`);
  await page.mouse.move(720, 600);
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, 600);
    await sleep(50);
  }
  const tasks = await page.evaluate<number[]>('window.longTasks');
  return {
    name: 'page: tasks over 50 ms while scrolling',
    ours: {
      maxMs: Math.max(0, ...tasks),
      note: `${tasks.length} in ${steps} turns of the wheel`,
    },
  };
}

/** The page in a browser, with 5,000 features (BENCH_FEATURES) and the events of the log. */
export const page: Experiment = {
  name: 'page',
  run: async (bench) => {
    if (executablePath === undefined) {
      return [{ name: 'page: not measured', ours: { note: 'there is no Chromium' } }];
    }
    // A kept log has them from the run before.
    const { rowCount } = await bench.pool.query('select from projects where id = $1', [project]);
    if (rowCount === 0) {
      await fillProject(bench.pool, { project, features, eventsPerFeature: 1 });
      await send(bench.burgee, 'POST', '/api/admin/user-admin', {
        ...account,
        rootRole: 1,
        sendEmail: false,
      });
    }
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const results = [await firstViews(browser, bench)];
      const page = await signedIn(browser, bench);
      results.push(...(await changes(page, bench)), await palette(page));
      results.push(await scrolling(page, bench), await usesOfField(bench));
      // Last, because whoever opens the log lets its chain be verified, which takes a third of a core for minutes.
      results.push(await log(page, bench));
      return results;
    } finally {
      await browser.close();
    }
  },
};
