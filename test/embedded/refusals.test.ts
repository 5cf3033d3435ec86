import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbedded } from '../../src/platform/db/embedded/index.ts';
import { dataDir } from '../support/data-dir.ts';

const start = (folder: string) =>
  startEmbedded({ dataDir: folder, exclusive: true, log: () => undefined });

/** A data folder with one file where the database should be. */
function folderWith(file: string, content: string): string {
  const home = dataDir();
  mkdirSync(join(home, 'postgres'));
  writeFileSync(join(home, 'postgres', file), content);
  return home;
}

test('data of another major version of PostgreSQL is refused and stays unchanged', async () => {
  const home = folderWith('PG_VERSION', '17\n');
  await expect(start(home)).rejects.toThrow(
    /written by PostgreSQL 17, but this version of Burgee includes PostgreSQL 18.*Run `npx burgee upgrade` to convert it.*Nothing was changed/,
  );
  expect(readdirSync(home, { recursive: true }).sort()).toEqual([
    'postgres',
    join('postgres', 'PG_VERSION'),
  ]);
});

test('a database folder with other files is refused and stays unchanged', async () => {
  const home = folderWith('letter.txt', 'dear');
  await expect(start(home)).rejects.toThrow(
    `${join(home, 'postgres')} exists but contains no database`,
  );
  expect(readFileSync(join(home, 'postgres/letter.txt'), 'utf8')).toBe('dear');
});

test.skipIf(process.platform !== 'linux')(
  'a data folder that cannot be created is named (only where there is a /proc)',
  async () => {
    const home = '/proc/burgee/data';
    await expect(start(home)).rejects.toThrow(
      `The data folder ${home} cannot contain files (ENOENT). Set DATA_DIR to a folder on a disk`,
    );
  },
);
