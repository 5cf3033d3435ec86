// The server and the page, both built again as their sources change: the page is at http://localhost:4243.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '..');
const server = spawn(
  process.execPath,
  [join(root, 'node_modules/tsx/dist/cli.mjs'), 'watch', 'src/cli/index.ts', 'serve'],
  { cwd: root, stdio: 'inherit' },
);
const page = await createServer({ configFile: join(import.meta.dirname, 'vite.config.ts') });
await page.listen();
page.printUrls();
server.once('exit', (code) => process.exit(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.kill(signal));
