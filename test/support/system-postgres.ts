import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../../src/platform/db/connect.ts';
import { fastFolder } from './fast-folder.ts';

const root = '/usr/lib/postgresql';

/** The major versions of PostgreSQL that Debian's packages installed here. */
export const systemMajors = (): readonly string[] =>
  existsSync(root)
    ? readdirSync(root).filter((major) => existsSync(join(root, major, 'bin', 'initdb')))
    : [];

/** Starts a server of such a version, with its data in a new folder and without a TCP port. */
export function startSystemPostgres(major: string): { connection: Connection; stop: () => void } {
  const folder = mkdtempSync(join(fastFolder(), `burgee-postgres-${major}-`));
  // PostgreSQL does not run as root.
  const uid = process.getuid?.() === 0 ? Number(idOf('postgres', '-u')) : undefined;
  const gid = uid === undefined ? undefined : Number(idOf('postgres', '-g'));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(root, major, 'bin', program), args, {
      cwd: folder,
      stdio: 'ignore',
      ...(uid !== undefined && gid !== undefined && { uid, gid }),
    });
  const data = join(folder, 'data');
  run(
    'initdb',
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '-N',
  );
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  run('pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', settings);
  return {
    connection: { host: folder, port: 5432, user: 'postgres', database: 'postgres' },
    stop: () => {
      run('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idOf = (account: string, option: string): string =>
  execFileSync('id', [option, account], { encoding: 'utf8' });
