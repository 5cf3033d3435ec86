import { expect, test } from 'vitest';
import { createLogger } from '../../platform/log.ts';
import { openFolder } from './folder.ts';

const lines: string[] = [];
const log = createLogger('warn', { write: (line) => void lines.push(line) });

test('a folder that cannot be created is refused with its setting', async () => {
  await expect(openFolder('/proc/burgee/state', log)).rejects.toThrow(
    /^BACKUP_FOLDER: \/proc\/burgee\/state cannot be created/,
  );
});

test.skipIf(process.platform !== 'linux')(
  'a folder that cannot be written is named in the log, with its setting',
  async () => {
    await openFolder('/proc', log);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringMatching(/^BACKUP_FOLDER: \/proc cannot be written/),
    ]);
  },
);
