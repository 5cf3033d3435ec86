import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  /** As the build compressed it; omitted if that is not smaller. */
  readonly gzip?: Buffer;
  readonly brotli?: Buffer;
}

/** The folder of the built page: web/dist of this checkout or package. Undefined: it is not built. */
export function findPageFolder(from: string = import.meta.dirname): string | undefined {
  let folder = from;
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  const page = join(folder, 'web', 'dist');
  return existsSync(join(page, 'index.html')) ? page : undefined;
}

/** Reads each file of a folder when it is first requested, and caches it: all of them together are less than 2 MB. */
export function createPageFiles(folder: string): (name: string) => Promise<PageFile | undefined> {
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  );
  const read = new Map<string, Promise<PageFile | undefined>>();

  const readIfThere = async (name: string) =>
    names.has(name) ? await readFile(join(folder, name)) : undefined;

  async function load(name: string): Promise<PageFile> {
    const [content, gzip, brotli] = await Promise.all([
      readFile(join(folder, name)),
      readIfThere(`${name}.gz`),
      readIfThere(`${name}.br`),
    ]);
    const type = types[extname(name)] ?? 'application/octet-stream';
    return { type, content, ...(gzip && { gzip }), ...(brotli && { brotli }) };
  }

  /** A file that was removed since the folder was read is one that does not exist. */
  const loadIfThere = (name: string) =>
    load(name).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });

  return async (name) => {
    if (!names.has(name) || /\.(gz|br)$/.test(name)) return undefined;
    const file = read.get(name) ?? loadIfThere(name);
    read.set(name, file);
    file.then(
      (found) => found ?? read.delete(name),
      () => read.delete(name),
    );
    return file;
  };
}
