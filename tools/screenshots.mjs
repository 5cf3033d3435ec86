// Makes the pictures of README and docs from the demo: npm run screenshots. It needs a Chromium.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '..');
const images = join(root, 'docs', 'images');
const executablePath =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (executablePath === undefined) {
  throw new Error('There is no Chromium: install one, or set CHROMIUM to the path of one.');
}

const feature = '/projects/checkout/features/pay-one-page';

/** Each page has a picture. The pages that people see most have one in dark too, and one is on a phone. */
const pictures = [
  { name: 'home', path: '/', act: waitForAttention },
  { name: 'features', path: '/search' },
  { name: 'feature', path: feature },
  { name: 'event-log', path: '/history', act: waitForChain },
  { name: 'project', path: '/projects/checkout' },
  { name: 'clone', path: feature, act: openClone },
  { name: 'palette', path: feature, act: openPalette },
  { name: 'health', path: '/projects/web-shop/health' },
  { name: 'integrations', path: '/integrations' },
  { name: 'integration', path: '/integrations/1' },
  { name: 'applications', path: '/applications/order-service' },
  {
    name: 'playground',
    path: `/playground?${new URLSearchParams({
      environments: '["development","production"]',
      projects: '["web-shop"]',
      contexts: '[{"userId":"7","country":"DK"},{"userId":"8"}]',
      why: '{"project":"web-shop","feature":"size-advisor","environment":"production","context":1}',
    })}`,
  },
  { name: 'segments', path: '/segments/edit/1' },
  { name: 'people', path: '/admin/users' },
  { name: 'roles', path: '/admin/roles/2?compare=3' },
  { name: 'phone', path: '/search', width: 360, height: 740, schemes: ['light'] },
  { name: 'insights', path: '/insights', act: waitForComparison, schemes: ['light'] },
  ...Object.entries({
    'unknown-names': '/unknown-flags',
    'context-fields': '/context/edit/country',
    'strategy-types': '/strategies',
    environments: '/environments',
    'tag-types': '/tag-types',
    'feature-types': '/feature-toggle-type',
    'what-somebody-may-do': '/admin/users/3?project=web-shop',
    groups: '/admin/groups',
    'service-accounts': '/admin/service-accounts',
    'invite-links': '/admin/invite-link',
    tokens: '/admin/api?create=true',
    'sign-in': '/admin/auth',
    origins: '/admin/cors',
    retention: '/admin/retention',
    maintenance: '/admin/maintenance',
    instance: '/admin/instance',
    account: '/profile?tab=following',
  }).map(([name, path]) => ({ name, path, schemes: ['light'] })),
];

async function openClone(page) {
  await page.getByRole('button', { name: /^Clone/ }).click();
  await page.getByRole('dialog').waitFor();
}

async function openPalette(page) {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('pay');
}

/** These cards load after the first view. */
async function waitForAttention(page) {
  await page.getByRole('heading', { name: /failing integration/ }).waitFor();
  await page.getByRole('heading', { name: /unknown flags? requested/ }).waitFor();
}

/** The health of a week ago loads after that of today. */
async function waitForComparison(page) {
  await page.getByText('Overall health').waitFor();
  await page.getByText('Comparing with last week…').waitFor({ state: 'detached' });
}

async function waitForChain(page) {
  await page.getByText(/Verified through #/).waitFor();
}

/** In the page: resolves once fonts, pictures and data are there and nothing has changed for half a second. */
function untilSettled() {
  const waiting = '[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root';
  const isInView = (element) => {
    const { top, bottom, width } = element.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < window.innerHeight;
  };
  const isThere = () =>
    document.querySelector('main h1, main h2') !== null &&
    document.fonts.status === 'loaded' &&
    [...document.images].every(({ complete }) => complete) &&
    ![...document.querySelectorAll(waiting)].some(isInView);
  return new Promise((resolve) => {
    let changed = performance.now();
    const observer = new MutationObserver(() => {
      changed = performance.now();
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
    const timer = setInterval(() => {
      if (!isThere()) changed = performance.now();
      if (performance.now() - changed < 500) return;
      clearInterval(timer);
      observer.disconnect();
      resolve();
    }, 50);
  });
}

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, 'localhost', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

/** A picture of at most this many bytes is fetched quickly enough by whoever reads README. */
const maxBytes = 150_000;

async function take(browser, origin, cookies, { name, path, act, width = 1440, ...rest }) {
  const { height = 900, schemes = ['light', 'dark'] } = rest;
  for (const colorScheme of schemes) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.goto(`${origin}${path}`);
    await page.locator('[data-connection=live]').waitFor({ state: 'attached' });
    await page.evaluate(untilSettled);
    if (act) {
      await act(page);
      await page.evaluate(untilSettled);
    }
    const file = join(images, `${name}-${colorScheme}.webp`);
    // Chromium writes WebP, though playwright has no name for it.
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    writeFileSync(file, Buffer.from(data, 'base64'));
    const { size } = statSync(file);
    process.stdout.write(`${file} ${Math.round(size / 1000)} kB\n`);
    if (size > maxBytes) throw new Error(`${file} is larger than ${maxBytes} bytes`);
    await context.close();
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'burgee-screenshots-'));
const port = await freePort();
const origin = `http://localhost:${port}`;
const account = { username: 'admin', password: 'blue harbour lantern' };
const command = join(root, 'bin', 'burgee.js');
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  PORT: String(port),
  LOG_LEVEL: 'warn',
  UNLEASH_DEFAULT_ADMIN_USERNAME: account.username,
  UNLEASH_DEFAULT_ADMIN_PASSWORD: account.password,
};
mkdirSync(images, { recursive: true });
spawnSync(process.execPath, [command, 'demo'], { env, stdio: 'inherit' });
const server = spawn(process.execPath, [command, 'serve'], { env, stdio: 'inherit' });
try {
  const answers = () =>
    fetch(`${origin}/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await answers())) await new Promise((resume) => setTimeout(resume, 200));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const visitor = await browser.newContext();
  await visitor.request.post(`${origin}/auth/simple/login`, { data: account });
  const { cookies } = await visitor.storageState();
  for (const picture of pictures) await take(browser, origin, cookies, picture);
  await browser.close();
} finally {
  server.kill('SIGTERM');
  await new Promise((resume) => server.once('exit', resume));
  rmSync(dataDir, { recursive: true, force: true });
}
