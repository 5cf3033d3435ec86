import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFailed, test } from 'vitest';
import { addressOf } from '../sdk/server-sdk.ts';
import { testApp } from '../support/app.ts';
import { browserTest, withBrowser } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { urlOf } from '../support/database-url.ts';
import { freePort } from '../support/free-port.ts';
import { adminToken } from '../support/tokens.ts';
import { type Block, blocksOf, documents, root, textOf } from './documents.ts';

/** Why a block may be skipped. All other blocks are run. */
const reasons = [
  'needs Docker',
  'needs Kubernetes',
  'needs systemd',
  'needs the npm registry',
  'needs an Unleash server',
  'needs a stopped server',
  'takes minutes',
];

const isCommand = ({ language }: Block) => language === 'sh';
const isRun = (block: Block) =>
  (isCommand(block) || block.file !== undefined) && block.notRun === undefined;

/** Replacements for programs that would use the network, which also collect rejected requests. */
const programs = {
  curl: `#!/bin/sh
/usr/bin/env -i PATH="$REAL_PATH" curl --fail-with-body "$@"
code=$?
# 23: whoever reads the answer has read enough.
[ $code = 0 ] || [ $code = 23 ] || echo "curl ends with $code: $*" >>"$REFUSED"
exit $code
`,
  burgee: `#!/bin/sh
"$NODE" "$ROOT/bin/burgee.js" "$@"
code=$?
# Tests run on a database without fsync, which doctor complains of.
[ "$1" = doctor ] && [ $code = 1 ] && exit 0
exit $code
`,
  // Elsewhere, npx would ask the registry for a package of this name.
  npx: `#!/bin/sh
[ "$1" = burgee ] || { echo "npx $1 is not run here" >&2; exit 1; }
[ "$PWD" = "$CHECKOUT" ] || { echo "npx burgee works only in the checkout" >&2; exit 1; }
shift
exec burgee "$@"
`,
  npm: `#!/bin/sh
case "$1" in
  init) echo '{}' >package.json ;;
  install)
    shift
    for name; do [ -d "$ROOT/node_modules/$name" ] || { echo "$name is not installed" >&2; exit 1; }; done
    ln -sfn "$ROOT/node_modules" node_modules ;;
  *) echo "npm $1 is not run here" >&2; exit 1 ;;
esac
`,
};

function writePrograms(folder: string): void {
  mkdirSync(folder);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
}

/** All blocks as one script, because a block may use variables set by earlier ones. */
const scriptOf = (blocks: readonly Block[]) =>
  blocks
    .map(({ file, line, text }) =>
      file === undefined
        ? `: the block at line ${line}\n${text}`
        : `cat >${file} <<'END_OF_FILE'\n${text}\nEND_OF_FILE`,
    )
    .join('\n');

interface Ran {
  readonly code: number | null;
  readonly output: string;
  /** Requests with an error response. */
  readonly refused: string;
  readonly ports: ReadonlyMap<string, number>;
}

/** The last line that a script prints. */
const ended = 'the script has ended';

/** Runs the blocks of a document against a new server. Background processes end after the file. */
async function run(blocks: readonly Block[]): Promise<Ran> {
  const app = await testApp({ background: 'here' });
  const address = await addressOf(app);
  const folder = mkdtempSync(join(tmpdir(), 'burgee-docs-'));
  closeLater(async () => rmSync(folder, { recursive: true, force: true }));
  writePrograms(join(folder, 'programs'));
  const work = join(folder, 'work');
  mkdirSync(work);
  const ports = new Map([
    ['4300', await freePort()],
    ['4301', await freePort()],
  ]);
  const script = scriptOf(blocks)
    .replaceAll('http://localhost:4242', address)
    // Nothing listens there: the delivery fails, and nothing leaves this machine.
    .replaceAll('https://hooks.example.com', `http://localhost:${ports.get('4300')}`)
    .replace(/\b430[01]\b/g, (port) => String(ports.get(port)))
    .replace(/^TOKEN='[^']*…'/gm, `TOKEN='${adminToken}'`);
  const refused = join(folder, 'refused');
  writeFileSync(refused, '');
  const { PATH = '', HOME = '' } = process.env;
  // Trace and output share one pipe. With two pipes, it would depend on the order of reading which block printed a
  // text.
  const beginning = `exec 2>&1\ntrap 'echo ${ended}' EXIT`;
  const child = spawn(
    'bash',
    ['-c', `set -eu\n${beginning}\nset -x\nln -s "$ROOT/tools" tools\n${script}`],
    {
      cwd: work,
      detached: true,
      env: {
        PATH: `${join(folder, 'programs')}:${PATH}`,
        REAL_PATH: PATH,
        HOME,
        ROOT: root,
        CHECKOUT: work,
        NODE: process.execPath,
        REFUSED: refused,
        BURGEE_URL: address,
        BASE_URL: address,
        DATABASE_URL: urlOf(app.connection),
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  closeLater(async () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // No process is left.
    }
  });
  let output = '';
  onTestFailed(() => {
    process.stderr.write(output);
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  // Not `close`: a server in the background keeps the output open. The last output may arrive after the exit.
  const [code] = (await once(child, 'exit')) as [number | null];
  await expect.poll(() => output).toContain(`${ended}\n`);
  return { code, output, refused: readFileSync(refused, 'utf8'), ports };
}

/** `# prints: TEXT` after a command states what it prints. */
const promised = ({ text }: Block) =>
  [...text.matchAll(/# prints: (.+)$/gm)].map(([, printed]) => printed as string);

/** The output of a block, without the trace of the script. */
function printedBy({ line }: Block, output: string): string {
  const [, after = ''] = output.split(`+ : the block at line ${line}\n`);
  const [printed = ''] = after.split('+ : the block at line ');
  return printed.replace(/^\++ .*$/gm, '');
}

/** The texts that blocks should print but do not. */
const missing = (blocks: readonly Block[], output: string) =>
  blocks.flatMap((block) =>
    promised(block).filter((text) => !printedBy(block, output).includes(text)),
  );

async function runsThrough(path: string): Promise<Ran> {
  const blocks = blocksOf(textOf(path)).filter(isRun);
  const ran = await run(blocks);
  expect(ran.refused).toBe('');
  expect(ran.code).toBe(0);
  expect(missing(blocks, ran.output)).toEqual([]);
  return ran;
}

const withCommands = documents.filter((path) => blocksOf(textOf(path)).some(isRun));
const ran = new Map<string, Ran>();

test.each(withCommands)('the commands and programs in %s work', async (path) => {
  ran.set(path, await runsThrough(path));
});

withBrowser('the tutorial', () => {
  browserTest('produces a page that shows a feature', async ({ context }) => {
    const { ports } = ran.get('docs/tutorial.md') ?? (await runsThrough('docs/tutorial.md'));
    const page = await context.newPage();
    await page.goto(`http://localhost:${ports.get('4301')}`);
    await expect.poll(() => page.textContent('h1')).toBe('dark-mode is on');
  });
});

test('detects a failing command and a rejected request', async () => {
  const block = (text: string) => blocksOf(`\`\`\`sh\n${text}\n\`\`\``);
  const { code, refused } = await run(
    block('echo $(curl -s http://localhost:4242/api/admin/nothing)\nfalse\nexit 0'),
  );
  expect(code).toBe(1);
  expect(refused).toContain('curl ends with 22');
});

test('detects a text that only another block prints', async () => {
  const blocks = blocksOf(
    '```sh\necho one # prints: one\n```\n\n```sh\necho two # prints: one\n```',
  );
  const { output } = await run(blocks);
  expect(missing(blocks, output)).toEqual(['one']);
});

test('detects a Burgee command outside of the checkout', async () => {
  const { code } = await run(blocksOf('```sh\nmkdir my-app && cd my-app\nnpx burgee version\n```'));
  expect(code).toBe(1);
});

test.each(documents)('%s gives a valid reason for each skipped block', (path) => {
  const given = blocksOf(textOf(path)).flatMap(({ notRun }) => notRun ?? []);
  expect(given.filter((reason) => !reasons.includes(reason))).toEqual([]);
});

test.each(documents)('%s has commands only in sh blocks', (path) => {
  const begins = /^\$? ?(curl|npm|npx|burgee|node|docker|kubectl|systemctl|export) /m;
  const hidden = blocksOf(textOf(path)).filter((block) => !isCommand(block) && !block.file);
  expect(hidden.filter(({ text }) => begins.test(text)).map(({ line }) => line)).toEqual([]);
});
