import { expect, test } from 'vitest';
import { openFolder } from './folder.ts';

test('a folder that cannot be created is refused with its setting', async () => {
  await expect(openFolder('/proc/burgee/state')).rejects.toThrow(
    /^BACKUP_FOLDER: \/proc\/burgee\/state cannot be created/,
  );
});
