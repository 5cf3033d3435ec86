import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  type Account,
  runsAsRoot,
  unprivilegedAccount,
} from '../../src/platform/db/embedded/account.ts';
import { stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { type BurgeeProcess, killAll, launch } from './burgee-process.ts';
import { type Installation, install } from './installation.ts';

export const asRoot = runsAsRoot;
/** An account that is not root: the one that runs the tests, or another one if that is root. */
export const ordinaryUser: Account | undefined = runsAsRoot ? unprivilegedAccount() : undefined;

export interface Grounds {
  readonly installation: Installation;
  /** A new folder. With `owner` it is the home folder of that account, closed to others. */
  folder(owner?: { home: Account | undefined }): string;
  /** A new data folder with a database that was stopped properly. */
  usedDataDir(): string;
  /** Processes started here end with the test, and so do their databases. */
  start(
    options: Parameters<typeof launch>[1] & { installation?: Installation },
  ): Promise<BurgeeProcess>;
  killAll(): void;
}

/** A temporary folder with an installed Burgee, for the tests of one file. */
export function useGrounds(): Grounds {
  const root = mkdtempSync(join(tmpdir(), 'burgee-embedded-'));
  chmodSync(root, 0o755);
  let installation: Installation | undefined;
  const dataDirs = new Set<string>();
  let folders = 0;

  const used = join(root, 'used');

  beforeAll(async () => {
    installation = install(join(root, 'burgee'));
    await (await launch(installation, { dataDir: used })).stop();
  });
  afterEach(async () => {
    killAll();
    for (const dataDir of dataDirs) await stopPostmaster(join(dataDir, 'postgres'), 60_000);
    dataDirs.clear();
  });
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', root]);
    rmSync(root, { recursive: true, force: true });
  });

  const grounds: Grounds = {
    get installation() {
      if (!installation) throw new Error('Not yet installed');
      return installation;
    },
    folder(owner) {
      folders += 1;
      const folder = join(root, String(folders));
      mkdirSync(folder, { mode: 0o755 });
      if (owner) chmodSync(folder, 0o700);
      if (owner?.home) chownSync(folder, owner.home.uid, owner.home.gid);
      return folder;
    },
    usedDataDir() {
      const dataDir = grounds.folder();
      execFileSync('cp', ['-a', join(used, 'postgres'), dataDir]);
      return dataDir;
    },
    async start({ installation: chosen = grounds.installation, ...options }) {
      dataDirs.add(options.dataDir);
      const burgee = await launch(chosen, options);
      dataDirs.add(burgee.started.dataDir);
      return burgee;
    },
    killAll,
  };
  return grounds;
}
