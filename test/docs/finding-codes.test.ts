import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, textOf } from './documents.ts';

const folder = join(root, 'src/modules/migration');
const settings = ['BASE_URL', 'DATA_DIR'];

test('moving-from-unleash.md names only existing finding codes', () => {
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
  const named = [...textOf('docs/moving-from-unleash.md').matchAll(/`([A-Z]+(?:_[A-Z0-9]+)*)`/g)]
    .map(([, code]) => code as string)
    .filter((code) => !settings.includes(code) && code !== 'GET');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
});
