import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { arch, tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { argumentsIn, type Instruction, instructionsIn } from './dockerfile.ts';

/**
 * Follows the Dockerfile without a container engine or image registry, as root on Debian: each
 * stage is a root file system from debootstrap in which the steps of the Dockerfile run. Then it
 * runs the image as docs/deployment.md says, in its own namespaces: not as root, without
 * capabilities, on a read-only root. IMAGE_BASE keeps the base for the next run.
 */
const repository = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'burgee-image-'));
const base = process.env.IMAGE_BASE ?? join(folder, 'base');
const account = { name: 'node', id: 1000 };

function run(command: string, args: readonly string[], options: { cwd?: string } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  if (status !== 0) {
    throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}\n${stderr}`);
  }
  return stdout.trim();
}

function expectThat(isTrue: boolean, what: string): void {
  process.stdout.write(`${isTrue ? 'ok' : 'FAILED'}: ${what}\n`);
  if (!isTrue) process.exitCode = 1;
}

/** Replaces `FROM node:22-bookworm-slim`: a small Debian, Node from its npm package, npm, and the account `node`. */
function makeBase(from: string): void {
  const [, version = '', release = ''] = /^node:(\d+)-(\w+)-slim$/.exec(from) ?? [];
  if (!release) throw new Error(`This does not know how to make ${from}`);
  if (existsSync(join(base, 'usr/local/bin/npm'))) return;
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', release, base]);
  const local = join(base, 'usr/local');
  const name = `node-linux-${arch()}`;
  run('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--global',
    '--prefix',
    local,
    `${name}@${version}`,
    'npm@11',
  ]);
  rmSync(join(local, 'bin/node'), { force: true });
  cpSync(join(local, 'lib/node_modules', name, 'bin/node'), join(local, 'bin/node'), {
    force: true,
    dereference: true,
  });
  rmSync(join(local, 'lib/node_modules', name), { recursive: true });
  appendFileSync(
    join(base, 'etc/passwd'),
    `${account.name}:x:${account.id}:${account.id}::/home/${account.name}:/bin/sh\n`,
  );
  appendFileSync(join(base, 'etc/group'), `${account.name}:x:${account.id}:\n`);
  // What an engine provides to a build: name resolution and trusted certificates.
  for (const path of ['etc/resolv.conf', 'etc/hosts', 'etc/ssl/certs/ca-certificates.crt']) {
    cpSync(`/${path}`, join(base, path), { dereference: true, force: true });
  }
  mkdirSync(join(base, 'home', account.name));
  chownSync(join(base, 'home', account.name), account.id, account.id);
}

/** A stage is a root file system and the settings for its next steps. */
interface Stage {
  readonly root: string;
  user: string;
  directory: string;
  environment: Record<string, string>;
  readonly volumes: string[];
  health: string[];
  entry: string[];
  command: string[];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const pairs = (environment: Readonly<Record<string, string>>) =>
  Object.entries(environment).map(([name, value]) => `${name}=${value}`);

/** Runs a build step in a stage. npm uses the registry of this machine, also in a temporary stage. */
function runIn(stage: Stage, line: string): void {
  const environment = {
    ...stage.environment,
    HOME: '/root',
    npm_config_registry: run('npm', ['config', 'get', 'registry']),
    npm_config_cafile: '/etc/ssl/certs/ca-certificates.crt',
    npm_config_cache: '/tmp/npm',
  };
  const inside = [
    'env',
    '-i',
    ...pairs(environment),
    '/bin/sh',
    '-c',
    `cd ${stage.directory} && ${line}`,
  ];
  run('unshare', [
    ...['--mount', '--pid', '--fork', '/bin/sh', '-ec'],
    'mount -t proc proc "$0/proc"; mount -t tmpfs tmpfs "$0/tmp"; exec chroot --userspec="$1" "$0" "$@"'.replace(
      '"$@"',
      inside.map(quoted).join(' '),
    ),
    stage.root,
    stage.user,
  ]);
}

/** Works like COPY, which copies the contents of a folder. */
function copy(stage: Stage, from: string, sources: readonly string[], target: string): void {
  const there = join(stage.root, posix.resolve(stage.directory, target));
  for (const source of sources) {
    const line = `for path in ${quoted(from)}/${source}; do
      if [ -d "$path" ]; then mkdir -p ${quoted(there)}; cp -a "$path/." ${quoted(there)}
      else mkdir -p ${quoted(target.endsWith('/') ? there : dirname(there))}; cp -a "$path" ${quoted(there)}; fi
    done`;
    run('/bin/sh', ['-ec', line]);
  }
}

/** The committed files, except those in .dockerignore. */
function makeContext(): string {
  const context = join(folder, 'context');
  run('git', ['clone', '--quiet', repository, context]);
  for (const pattern of readFileSync(join(repository, '.dockerignore'), 'utf8').split('\n')) {
    // A fresh clone contains nothing built or installed, in any folder.
    if (pattern && !pattern.startsWith('**')) {
      rmSync(join(context, pattern), { recursive: true, force: true });
    }
  }
  return context;
}

function build(instructions: readonly Instruction[]): Stage {
  const context = makeContext();
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, text } of instructions) {
    process.stdout.write(`${name} ${text}\n`);
    if (name === 'FROM') {
      const [, image = '', alias = 'final'] = /^(\S+)(?: AS (\S+))?$/i.exec(text) ?? [];
      makeBase(image);
      const root = join(folder, alias);
      run('cp', ['-a', base, root]);
      const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
      const environment = { PATH };
      stage = {
        root,
        user: 'root',
        directory: '/',
        environment,
        volumes: [],
        health: [],
        entry: [],
        command: [],
      };
      stages.set(alias, stage);
    } else if (stage) {
      follow(stage, name, text, (alias) => (alias ? (stages.get(alias) as Stage).root : context));
    }
  }
  return stage as Stage;
}

function follow(
  stage: Stage,
  name: string,
  text: string,
  sourceOf: (alias: string | undefined) => string,
): void {
  switch (name) {
    case 'RUN':
      runIn(stage, text);
      break;
    case 'COPY': {
      const [, alias, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
      const all = paths.split(/\s+/);
      copy(stage, sourceOf(alias), all.slice(0, -1), all.at(-1) as string);
      break;
    }
    case 'WORKDIR':
      stage.directory = posix.resolve(stage.directory, text);
      mkdirSync(join(stage.root, stage.directory), { recursive: true });
      break;
    case 'ENV':
      Object.assign(
        stage.environment,
        Object.fromEntries(text.split(' ').map((pair) => pair.split('='))),
      );
      break;
    case 'USER':
      stage.user = text;
      break;
    case 'VOLUME':
      stage.volumes.push(text);
      break;
    case 'HEALTHCHECK':
      stage.health = argumentsIn(text.replace(/^.*?\bCMD /, ''));
      break;
    case 'ENTRYPOINT':
      stage.entry = argumentsIn(text);
      break;
    case 'CMD':
      stage.command = argumentsIn(text);
      break;
    case 'EXPOSE':
      break;
    default:
      throw new Error(`This does not know the step ${name}`);
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
};

/** Runs the image as `docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges` does. */
async function start(stage: Stage, volume: string) {
  const environment = { ...stage.environment, PORT: String(await freePort()) };
  const asAccount = ['setpriv', `--reuid=${stage.user}`, `--regid=${stage.user}`, '--clear-groups'];
  const without = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];
  const inside = ['env', '-i', `--chdir=${stage.directory}`, ...pairs(environment)];
  const lines = [
    'mount --bind "$0" "$0"',
    'mount -t proc proc "$0/proc"',
    'mount -t tmpfs tmpfs "$0/tmp"',
    'mount -t tmpfs tmpfs "$0/dev/shm"',
    ...stage.volumes.map((path) => `mount --bind ${quoted(volume)} "$0${path}"`),
    'mount -o remount,bind,ro "$0"',
    `exec chroot "$0" ${[...asAccount, ...without, ...inside, ...stage.entry, ...stage.command].map(quoted).join(' ')}`,
  ];
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-ec', lines.join('\n'), stage.root],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  while (!output.includes('Burgee is running at')) {
    if (child.exitCode !== null) throw new Error(`the image ended at once: ${output}`);
    await sleep(50);
  }
  const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  /** Works like `docker exec`. */
  const inIt = (args: readonly string[]) =>
    spawnSync(
      'nsenter',
      [
        '--target',
        first,
        '--mount',
        '--pid',
        '--root',
        'setpriv',
        ...asAccount.slice(1),
        ...inside,
        ...args,
      ],
      { encoding: 'utf8' },
    );
  const stop = async () => {
    process.kill(Number(first), 'SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    return child.exitCode;
  };
  const url = `http://127.0.0.1:${environment.PORT}`;
  return { url, first, inIt, stop, output: () => output };
}

const namesIn = (status: string, name: string) =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.split('\t') ?? [];

try {
  const image = build(instructionsIn(readFileSync(join(repository, 'Dockerfile'), 'utf8')));
  const size = run('du', ['--summarize', '--block-size=MB', join(image.root, 'app')]).split(
    '\t',
  )[0];
  process.stdout.write(`/app has ${size}\n`);

  // A new volume starts as a copy of the folder in the image, with its owner.
  const volume = join(folder, 'volume');
  run('cp', ['-a', join(image.root, image.volumes[0] as string), volume]);

  const server = await start(image, volume);
  const status = readFileSync(`/proc/${server.first}/status`, 'utf8');
  expectThat(namesIn(status, 'NSpid').at(-1) === '1', 'the server is the first process');
  expectThat(!namesIn(status, 'Uid').includes('0'), 'it does not run as root');
  expectThat(/^0+$/.test(namesIn(status, 'CapBnd').join('')), 'it has no capabilities');
  expectThat(
    server.inIt(['touch', '/app/x']).stderr.includes('Read-only file system'),
    'the root cannot be written',
  );
  expectThat(server.inIt(image.health).status === 0, 'the health check succeeds');
  expectThat((await fetch(`${server.url}/ready`)).status === 200, 'it is ready');
  const page = await (await fetch(server.url)).text();
  expectThat(/<script[^>]* src=/.test(page), 'it has the page');
  const tools = ['esbuild', 'vite', 'typescript'].filter((name) =>
    existsSync(join(image.root, 'app/node_modules', name)),
  );
  expectThat(tools.length === 0, 'it has nothing that builds');
  const created = server.inIt([
    ...image.entry,
    'token',
    'create',
    '--name',
    'my-app',
    '--type',
    'client',
  ]);
  expectThat(created.status === 0, `a command runs beside it ${created.stderr}`);
  expectThat((await server.stop()) === 0, 'SIGTERM ends it with 0');
  expectThat(server.output().includes('"msg":"stopped"'), 'it says that it stopped');

  const again = await start(image, volume);
  const { stdout } = again.inIt([...image.entry, 'token', 'list']);
  expectThat(stdout.includes('my-app'), 'another container continues with the volume');
  await again.stop();
  const unhealthy = { ...image, environment: { ...image.environment, PORT: '1' } };
  expectThat(
    spawnSync('chroot', [image.root, 'env', '-i', ...pairs(unhealthy.environment), ...image.health])
      .status === 1,
    'the health check fails without a server',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
