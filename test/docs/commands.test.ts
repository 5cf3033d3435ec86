import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { addressOf } from '../sdk/server-sdk.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest, withBrowser } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { commandLine } from '../support/command-line.ts';
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
  // Half of the time of this file would be spent on starting Node for each command.
  burgee: `#!/bin/sh
result=$(mktemp -d)
code=$({ env -0; printf '\\0%s\\0' "$result"; printf '%s\\0' "$PWD" "$@"; } |
  /usr/bin/env -i PATH="$REAL_PATH" curl -s --data-binary @- "$COMMANDS")
cat "$result/stdout"
cat "$result/stderr" >&2
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

/** Runs the commands of the program `burgee` above in this process. Responds with the exit code. */
async function startCommandServer(): Promise<string> {
  const run = async (request: IncomingMessage) => {
    const [variables = '', words = ''] = (await text(request)).split('\0\0');
    const settings = variables.split('\0').map((each) => {
      const [name = '', ...value] = each.split('=');
      return [name, value.join('=')];
    });
    const [result = '', folder = '', ...args] = words.split('\0').slice(0, -1);
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { code, stdout, stderr } = await commandLine(args, Object.fromEntries(settings));
      writeFileSync(join(result, 'stdout'), stdout);
      writeFileSync(join(result, 'stderr'), stderr);
      return code;
    } finally {
      process.chdir(before);
    }
  };
  const server = createServer(async (request, response) => {
    response.end(String(await run(request)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closeLater(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

let commands: string;
let shared: { app: TestApp; address: string };

async function startServer() {
  const app = await testApp({ background: 'here' });
  return { app, address: await addressOf(app) };
}

beforeAll(async () => {
  commands = await startCommandServer();
  shared = await startServer();
});

/** Runs the blocks of a document. What they start in the background ends after the file. */
async function run(blocks: readonly Block[], { app, address } = shared): Promise<Ran> {
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
        COMMANDS: commands,
        TMPDIR: folder,
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

/** They create features and integrations of the same name. */
const needsOwnServer = ['README.md', 'docs/api.md', 'docs/integrations.md', 'docs/tutorial.md'];

async function runsThrough(path: string): Promise<Ran> {
  const blocks = blocksOf(textOf(path)).filter(isRun);
  const ran = await run(blocks, needsOwnServer.includes(path) ? await startServer() : shared);
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

describe('a wrong document', () => {
  test('is noticed when a command fails or a request is refused', async () => {
    const block = (text: string) => blocksOf(`\`\`\`sh\n${text}\n\`\`\``);
    const { code, refused } = await run(
      block('echo $(curl -s http://localhost:4242/api/admin/nothing)\nfalse\nexit 0'),
    );
    expect(code).toBe(1);
    expect(refused).toContain('curl ends with 22');
  });

  test('is noticed when a block does not print what it promises', async () => {
    const blocks = blocksOf(
      '```sh\necho one # prints: one\n```\n\n```sh\necho two # prints: one\n```',
    );
    const { output } = await run(blocks);
    expect(missing(blocks, output)).toEqual(['one']);
  });

  test('is noticed when it runs Burgee outside of the checkout', async () => {
    const { code } = await run(
      blocksOf('```sh\nmkdir my-app && cd my-app\nnpx burgee version\n```'),
    );
    expect(code).toBe(1);
  });
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
