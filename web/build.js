// Builds the page into web/dist. Plain JavaScript, because `npm start` of a fresh clone runs it before anything is built.
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

// Vite builds a slow page for developers if it finds anything else here, as tests leave it.
process.env.NODE_ENV = 'production';

const root = import.meta.dirname;
// Made beside and moved into place: a server that starts meanwhile finds a whole one.
const fresh = join(root, `dist.${process.pid}`);
const remove = (folder) => rmSync(folder, { recursive: true, force: true });

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

/** Compressed once here and not for each answer. Fonts are compressed already. */
async function compress(file) {
  const content = await readFile(file);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.br`, await brotli(content, { params: quality }));
  await writeFile(`${file}.gz`, await gzipped(content, { level: 9 }));
}

/** Built one by one: in one build, the two would share files, and the small one would need many. */
const entries = ['index.html', 'sign-in.html'];

try {
  for (const entry of entries) {
    await build({
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      build: {
        outDir: fresh,
        emptyOutDir: false,
        // The server reads in it which files an address needs.
        manifest: entry === 'index.html' && 'manifest.json',
        // Of what both entries contain: the small one has nothing of its own.
        license: entry === 'index.html' && { fileName: 'THIRD-PARTY-LICENSES.md' },
        rolldownOptions: { input: join(root, entry) },
      },
    });
  }
  const files = [fresh, join(fresh, 'assets')].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
  await Promise.all(files.filter((file) => /\.(js|css|svg)$/.test(file)).map(compress));
  remove(join(root, 'dist'));
  renameSync(fresh, join(root, 'dist'));
} finally {
  remove(fresh);
}
