import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import type { Connection } from '../../src/platform/db/connect.ts';
import { startEmbedded } from '../../src/platform/db/embedded/index.ts';
import { buildCommandLine, buildPage } from './built.ts';
import { fastFolder } from './fast-folder.ts';
import type { Templates } from './templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    server: Connection;
    templates: Templates;
  }
}

async function openServer(): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { connection: { connectionString: url }, close: async () => undefined };
  const dataDir = mkdtempSync(join(fastFolder(), 'burgee-test-'));
  const server = await startEmbedded({
    dataDir,
    exclusive: false,
    log: () => undefined,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '600',
      // Hundreds of short-lived databases: they need neither vacuum nor replication.
      autovacuum: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
    },
  });
  return {
    connection: server.connection,
    close: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Folders of tests that use the built UI. */
const pageTests = /\/(test|admin-ui)\/page\//;

/** One server for the whole run, with the databases that test files copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const needsPage = project.vitest.state.getPaths().some((file) => pageTests.test(file));
  const [close] = await Promise.all([
    openDatabases(project),
    buildCommandLine(),
    needsPage ? buildPage() : undefined,
  ]);
  return close;
}

/**
 * Bundled, the code that makes the first database loads in a second. As separate files, which are transformed one after
 * another while no test can run, it takes five.
 */
async function loadTemplates(): Promise<typeof import('./templates.ts')> {
  const outfile = resolve(`node_modules/.cache/burgee-tests/templates.${process.pid}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'templates.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    outfile,
  });
  const loaded = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
  rmSync(outfile);
  return loaded;
}

async function openDatabases(project: TestProject): Promise<() => Promise<void>> {
  const [{ connection, close }, { makeTemplates }] = await Promise.all([
    openServer(),
    loadTemplates(),
  ]);
  const templates = {
    migrated: `burgee_migrated_${process.pid}`,
    prepared: `burgee_template_${process.pid}`,
  };
  const dropTemplates = await makeTemplates(connection, templates);
  project.provide('server', connection);
  project.provide('templates', templates);
  return async () => {
    await dropTemplates();
    await close();
  };
}
