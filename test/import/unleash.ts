import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '../../src/platform/db/embedded/index.ts';

export const adminToken = '*:*.the-admin-token-of-the-test';

async function installed(folder: string, version: string): Promise<void> {
  if (existsSync(join(folder, 'node_modules/unleash-server'))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const node = `node-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}@22`;
  await done(
    spawn(
      'npm',
      [
        ...['install', '--ignore-scripts', '--no-audit', '--no-fund'],
        ...[`unleash-server@${version}`, node],
      ],
      { cwd: folder, stdio: 'inherit' },
    ),
  );
}

const done = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) =>
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`npm install ended with ${code}`)),
    ),
  );

export interface RunningUnleash {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a version of Unleash with its own PostgreSQL. `stop` ends both. */
export async function startUnleash(
  folder: string,
  version: string,
  port: number,
): Promise<RunningUnleash> {
  await installed(folder, version);
  const postgres = await startEmbedded({
    dataDir: join(folder, `data-${process.pid}`),
    exclusive: true,
    log: () => undefined,
  });
  const { host, port: databasePort, user } = postgres.connection;
  const client = new pg.Client({ ...postgres.connection });
  await client.connect();
  await client.query('create database unleash');
  await client.end();
  const own = join(
    folder,
    `node_modules/node-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}/bin/node`,
  );
  const server = spawn(
    existsSync(own) ? own : process.execPath,
    [join(folder, 'node_modules/unleash-server/dist/server.js')],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', process.env.IMPORT_DEBUG ? 'inherit' : 'ignore'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_HOST: host,
        DATABASE_PORT: String(databasePort),
        DATABASE_USERNAME: user,
        DATABASE_PASSWORD: 'unused',
        DATABASE_NAME: 'unleash',
        DATABASE_SSL: 'false',
        INIT_ADMIN_API_TOKENS: adminToken,
        LOG_LEVEL: 'error',
        CHECK_VERSION: 'false',
        SEND_TELEMETRY: 'false',
      },
    },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    server.kill();
    await ended;
    await postgres.stop();
  };
  for (;;) {
    if (server.exitCode !== null) {
      await postgres.stop();
      throw new Error(`Unleash ${version} ended with ${server.exitCode}`);
    }
    const health = await fetch(`${url}/health`).catch(() => undefined);
    if (health?.ok) return { url, stop };
    await sleep(250);
  }
}
