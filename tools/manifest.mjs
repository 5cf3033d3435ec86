// The package that `npm pack` makes contains a bundle of its dependencies. Its package.json names only what is not in
// it: binaries. A checkout keeps all of them, because `npm start` builds there, also after `npm ci --omit=dev`.
// pack: writes the small one; restore: brings the whole one back; show: prints the small one.
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifest = fileURLToPath(new URL('../package.json', import.meta.url));
const whole = fileURLToPath(new URL('../package.json.whole', import.meta.url));

/** The dependencies that the bundle loads from where they are installed. */
const binaries = ['@node-rs/argon2'];

const {
  devDependencies: _,
  overrides: __,
  dependencies,
  ...rest
} = JSON.parse(
  // What an interrupted `npm pack` left behind is the whole one.
  readFileSync(existsSync(whole) ? whole : manifest, 'utf8'),
);
const kept = Object.entries(dependencies).filter(([name]) => binaries.includes(name));
const packed = JSON.stringify({ ...rest, dependencies: Object.fromEntries(kept) }, null, 2);

const [, , step] = process.argv;

if (step === 'show') process.stdout.write(packed);
else {
  if (existsSync(whole)) renameSync(whole, manifest);
  if (step === 'pack') {
    copyFileSync(manifest, whole);
    writeFileSync(manifest, `${packed}\n`);
  }
}
