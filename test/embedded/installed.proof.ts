import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asRoot, ordinaryUser, useGrounds } from './grounds.ts';
import {
  copyOf,
  type Installation,
  makeReadOnly,
  removeExecutableBits,
  removeLibraryLinks,
} from './installation.ts';

const grounds = useGrounds();
const ANSWER = [{ n: 1 }];

function changedInstallation(...changes: ((installation: Installation) => void)[]): Installation {
  const installation = copyOf(grounds.installation, join(grounds.folder(), 'burgee'));
  for (const change of changes) change(installation);
  return installation;
}

describe('the embedded PostgreSQL runs', () => {
  test('as an ordinary user with a read-only node_modules that was installed without scripts', async () => {
    const installation = changedInstallation(removeLibraryLinks, makeReadOnly);
    const dataDir = join(grounds.folder({ home: ordinaryUser }), 'data');
    const options = { installation, dataDir, account: ordinaryUser };
    const first = await grounds.start(options);
    expect(await first.query('select 1 as n')).toEqual(ANSWER);
    await first.stop();
    const later = await grounds.start(options);
    expect(await later.query('select 1 as n')).toEqual(ANSWER);
    await later.query('create extension pg_trgm');
  });

  test.skipIf(!asRoot)(
    'as root after an installation without scripts, and does not change the package (skipped for other users)',
    async () => {
      const installation = changedInstallation(removeLibraryLinks);
      const before = readdirSync(installation.native, { recursive: true }).sort();
      const burgee = await grounds.start({ installation, dataDir: join(grounds.folder(), 'data') });
      expect(await burgee.query('select 1 as n')).toEqual(ANSWER);
      expect(readdirSync(installation.native, { recursive: true }).sort()).toEqual(before);
    },
  );

  test('from a copy if its programs are not executable', async () => {
    const installation = changedInstallation(
      removeLibraryLinks,
      removeExecutableBits,
      makeReadOnly,
    );
    const dataDir = join(grounds.folder({ home: ordinaryUser }), 'data');
    const burgee = await grounds.start({ installation, dataDir, account: ordinaryUser });
    expect(await burgee.query('select 1 as n')).toEqual(ANSWER);
    await burgee.query('create extension pg_trgm');
  });

  test('in a folder whose path is too long for a socket, and removes the socket folder it created', async () => {
    const dataDir = join(grounds.folder(), 'long'.repeat(30), 'data');
    const temporary = grounds.folder();
    const burgee = await grounds.start({ dataDir, env: { TMPDIR: temporary } });
    expect(burgee.started.connection.host).toMatch(`${temporary}/burgee-socket-`);

    const beside = await grounds.start({ dataDir, exclusive: false });
    expect(await beside.query('select 1 as n')).toEqual(ANSWER);
    await beside.stop();
    await burgee.stop();
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('in a folder whose name contains quotes, commas and spaces', async () => {
    const dataDir = join(grounds.folder(), `a "b", 'c' = $d ü`);
    const burgee = await grounds.start({ dataDir });
    expect(await burgee.query('select 1 as n')).toEqual(ANSWER);
  });
});
