// Builds the page into web/dist. Plain JavaScript, because `npm start` of a fresh clone runs it before anything is built.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = import.meta.dirname;
// Made beside and moved into place: a server that starts meanwhile finds a whole one.
const fresh = join(root, `dist.${process.pid}`);
const remove = (folder) => rmSync(folder, { recursive: true, force: true });

try {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh },
  });
  remove(join(root, 'dist'));
  renameSync(fresh, join(root, 'dist'));
} finally {
  remove(fresh);
}
