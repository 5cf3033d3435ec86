// Makes the fonts in web/src/fonts, after an update of Inter: npm run fonts. They are those of
// @fontsource-variable/inter with only the weights and OpenType features that the UI uses, which is 40% smaller.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import subsetFont from 'subset-font';

const source = dirname(
  createRequire(import.meta.url).resolve('@fontsource-variable/inter/index.css'),
);
const target = resolve(import.meta.dirname, '..', 'web', 'src', 'fonts');
const styles = readFileSync(join(source, 'index.css'), 'utf8');

/** The characters that a file of the package covers. */
function charactersOf(subset) {
  const rule = new RegExp(`inter-${subset}-wght-normal\\.woff2[^}]*unicode-range: ([^;]+);`);
  const [, ranges] = rule.exec(styles);
  return ranges.split(',').flatMap((range) => {
    const [first, last = first] = range
      .trim()
      .slice('U+'.length)
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

const options = {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ['calt', 'ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'tnum'],
};

async function write(name, subset, isIncluded = () => true) {
  const font = readFileSync(join(source, 'files', `inter-${subset}-wght-normal.woff2`));
  const text = String.fromCodePoint(...charactersOf(subset).filter(isIncluded));
  const content = await subsetFont(font, text, options);
  writeFileSync(join(target, `${name}.woff2`), content);
  process.stdout.write(`${name}.woff2 ${font.length} → ${content.length} bytes\n`);
}

await write('inter-latin', 'latin');
// The letters of most European names. The whole file has 50 kB more.
await write('inter-latin-ext-a', 'latin-ext', (code) => code <= 0x17f);
