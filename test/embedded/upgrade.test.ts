import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage } from '../../src/platform/db/embedded/binaries.ts';
import { commandLine } from '../support/command-line.ts';
import { dataDir } from '../support/data-dir.ts';

/** A data folder whose database claims to be from another PostgreSQL. */
function folderOf(major: number): string {
  const home = dataDir();
  mkdirSync(join(home, 'postgres'));
  writeFileSync(join(home, 'postgres/PG_VERSION'), `${major}\n`);
  return home;
}

test('an upgrade without the right programs names the ones it needs and changes nothing', async () => {
  const home = folderOf(17);
  const upgrade = (binaries: string) =>
    commandLine(['upgrade', '--binaries', binaries], { DATA_DIR: home });
  expect(await upgrade(join(home, 'nowhere'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/nowhere is not the folder of the package /),
  });
  expect(await upgrade(dirname(findPackage().native))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /contains PostgreSQL \d+, but the data was written by PostgreSQL 17\. Nothing was changed\./,
    ),
  });
  expect(readdirSync(home)).toEqual(['postgres']);
});

test('an upgrade refuses data of a newer PostgreSQL and an external database', async () => {
  const home = folderOf(99);
  expect(await commandLine(['upgrade'], { DATA_DIR: home })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/was written by PostgreSQL 99, .* Nothing was changed\./),
  });
  expect(readdirSync(home)).toEqual(['postgres']);
  expect(
    await commandLine(['upgrade'], { DATABASE_URL: 'postgres://me:hunter2@localhost:1/none' }),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^DATABASE_URL is set\. This command only upgrades the embedded database/,
    ),
  });
});
