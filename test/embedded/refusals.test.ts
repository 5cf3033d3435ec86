import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asRoot, ordinaryUser, useGrounds } from './grounds.ts';
import { copyOf } from './installation.ts';

const grounds = useGrounds();
const canMount = asRoot && process.platform === 'linux' && tryToMount();

describe('an unusable data folder', () => {
  test('is rejected and unchanged if another major version of PostgreSQL wrote it', async () => {
    const dataDir = grounds.usedDataDir();
    const versionFile = join(dataDir, 'postgres/PG_VERSION');
    writeFileSync(versionFile, '17\n');
    const before = readdirSync(dataDir, { recursive: true }).sort();

    await expect(grounds.start({ dataDir })).rejects.toThrow(
      /written by PostgreSQL 17, but this version of Burgee includes PostgreSQL 18.*Run `npx burgee upgrade` to convert it.*Nothing was changed/,
    );
    expect(readdirSync(dataDir, { recursive: true }).sort()).toEqual(before);

    writeFileSync(versionFile, '18\n');
    const again = await grounds.start({ dataDir });
    expect(again.started.adopted).toBe(false);
  });

  test('is rejected with its name if it is not writable', async () => {
    const folder = grounds.folder({ home: ordinaryUser });
    execFileSync('chmod', ['a-w', folder]);
    onTestFinished(() => void execFileSync('chmod', ['u+w', folder]));
    const dataDir = join(folder, 'data');
    await expect(grounds.start({ dataDir, account: ordinaryUser })).rejects.toThrow(
      `Burgee cannot write to its data folder ${dataDir}`,
    );
  });

  test.skipIf(process.platform !== 'linux')(
    'is rejected if it cannot be created (skipped where there is no /proc)',
    async () => {
      const dataDir = '/proc/burgee/data';
      await expect(grounds.start({ dataDir })).rejects.toThrow(
        `The data folder ${dataDir} cannot contain files (ENOENT). Set DATA_DIR to a folder on a disk`,
      );
    },
  );

  test('is rejected and unchanged if its database folder contains something else', async () => {
    const dataDir = grounds.folder();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres/letter.txt'), 'dear');
    await expect(grounds.start({ dataDir })).rejects.toThrow(
      `${join(dataDir, 'postgres')} exists but contains no database`,
    );
    expect(readFileSync(join(dataDir, 'postgres/letter.txt'), 'utf8')).toBe('dear');
  });

  test.skipIf(!asRoot)(
    'is rejected if it belongs to another account (skipped for other users than root)',
    async () => {
      const dataDir = grounds.usedDataDir();
      const stranger = { uid: 54321, gid: 54321 };
      await expect(grounds.start({ dataDir, account: stranger })).rejects.toThrow(
        `belongs to another account (${statSync(join(dataDir, 'postgres')).uid})`,
      );
    },
  );

  test.skipIf(!canMount)(
    'is rejected if the disk is full at the first start, which leaves nothing behind (skipped without the right to mount)',
    async () => {
      const disk = mountDisk('20m');
      const dataDir = join(disk, 'data');
      await expect(grounds.start({ dataDir })).rejects.toThrow(`The disk with ${dataDir} is full`);
      expect(readdirSync(dataDir)).toEqual([]);
    },
  );

  test.skipIf(!canMount)(
    'is rejected if the disk is full at a later start, and works again once there is space (skipped without the right to mount)',
    async () => {
      const disk = mountDisk('120m');
      const dataDir = join(disk, 'data');
      const first = await grounds.start({ dataDir });
      await first.query('create table kept as select 1 as n');
      await first.stop();

      const filler = join(disk, 'filler');
      expect(() => fill(filler)).toThrow('ENOSPC');
      await expect(grounds.start({ dataDir })).rejects.toThrow(`The disk with ${dataDir} is full`);

      rmSync(filler);
      const later = await grounds.start({ dataDir });
      expect(await later.query('select n from kept')).toEqual([{ n: 1 }]);
      await later.stop();
    },
  );
});

test('without a PostgreSQL for this machine, the error names DATABASE_URL', async () => {
  const installation = copyOf(grounds.installation, join(grounds.folder(), 'burgee'));
  rmSync(join(installation.native, '..'), { recursive: true });
  await expect(
    grounds.start({ installation, dataDir: join(grounds.folder(), 'data') }),
  ).rejects.toThrow('Set DATABASE_URL');
});

function fill(file: string): void {
  const zeros = Buffer.alloc(64 * 1024);
  for (;;) appendFileSync(file, zeros);
}

function mountDisk(size: string): string {
  const disk = grounds.folder();
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'burgee-test', disk]);
  onTestFinished(() => void execFileSync('/bin/umount', ['-l', disk]));
  return disk;
}

function tryToMount(): boolean {
  const folder = grounds.folder();
  const mounted = spawnSync('/bin/mount', ['-t', 'tmpfs', 'burgee-test', folder]).status === 0;
  if (mounted) spawnSync('/bin/umount', [folder]);
  return mounted;
}
