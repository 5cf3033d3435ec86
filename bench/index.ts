import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openDatabase } from '../src/app/database.ts';
import { createLogger } from '../src/platform/log.ts';
import { connections } from './cannon.ts';
import type { Bench, Experiment, Result } from './experiment.ts';
import { ensureLog } from './generate.ts';
import { needlesOf } from './needles.ts';
import { adminToken, buildBurgee, residentMb, startBurgee } from './process.ts';
import { makeReaders, type Reader } from './readers.ts';
import { measureAuthentication } from './rows/authentication.ts';
import { measureBackup } from './rows/backup.ts';
import { measureChangeRequests } from './rows/change-requests.ts';
import { measureClientApi } from './rows/client-api.ts';
import { counts } from './rows/counts.ts';
import { deepPages } from './rows/deep.ts';
import { measureDeliveries } from './rows/deliveries.ts';
import { exported, measureColdExport } from './rows/export.ts';
import { measureFeatures } from './rows/features.ts';
import { measureHealth } from './rows/health.ts';
import { measureHistory } from './rows/history.ts';
import { lists } from './rows/lists.ts';
import { measureManyStreams } from './rows/many-streams.ts';
import { page } from './rows/page.ts';
import { pages } from './rows/pages.ts';
import { records } from './rows/records.ts';
import { measureServing } from './rows/serving.ts';
import { measureStalls } from './rows/stalls.ts';
import { measureStarts, temporaryFolder } from './rows/starts.ts';
import { measureStreaming } from './rows/streaming.ts';
import { measureTails } from './rows/tails.ts';
import { texts } from './rows/texts.ts';
import { measureThreeInstances } from './rows/three-instances.ts';
import { writes } from './rows/writes.ts';
import { byEdge, byServer } from './serving.ts';
import { tableOf } from './table.ts';

const experiments: readonly Experiment[] = [
  pages,
  texts,
  lists,
  deepPages,
  exported,
  records,
  counts,
  writes,
  page,
];
/** Repeated for each kind of reader with limited access. */
const forReaders: readonly Experiment[] = [pages, texts, lists, deepPages];
const starts = 'starts';
const backup = 'backup';
const features = 'features';
const changeRequests = 'change-requests';
const authentication = 'authentication';
const deliveries = 'deliveries';
const health = 'health';
const history = 'history';
const clientApi = 'client-api';
const streaming = 'streaming';
const serving = 'serving';
const edge = 'edge';
const manyStreams = 'many-streams';
const threeInstances = 'three-instances';
const tails = 'tails';
const stalls = 'stalls';
/** Experiments that do not need a log of a million events. */
const withoutLog = [
  starts,
  authentication,
  features,
  changeRequests,
  deliveries,
  health,
  history,
  clientApi,
  streaming,
  serving,
  edge,
  manyStreams,
  threeInstances,
  tails,
  stalls,
];

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    events: { type: 'string', default: '1000000' },
    only: { type: 'string', multiple: true },
    keep: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    assert: { type: 'boolean', default: true },
    readers: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

const reference = options.url ? { url: options.url, token: options.token ?? '' } : undefined;

const say = (text: string) => process.stdout.write(`${text}\n`);
const wanted = (name: string) => options.only === undefined || options.only.includes(name);

const complaint = (name: string, error: unknown): Result => ({
  name: `${name}: not measured`,
  met: false,
  ours: { note: error instanceof Error ? error.message : String(error) },
});

/** Runs one experiment. A failure does not affect the others. */
async function run(experiment: Experiment, bench: Bench): Promise<readonly Result[]> {
  say(`measuring ${experiment.name}`);
  return experiment.run(bench).catch((error: unknown) => [complaint(experiment.name, error)]);
}

/** Starts Burgee on the prepared log, for an administrator or another reader. */
async function onLog<Value>(
  dataDir: string,
  events: number,
  reader: Reader | undefined,
  work: (bench: Bench, startMs: number) => Promise<Value>,
): Promise<Value> {
  const server = await startBurgee(dataDir);
  const log = createLogger('warn');
  const database = await openDatabase({ databaseUrl: undefined, dataDir }, log, {
    exclusive: false,
  });
  const pool = new pg.Pool({ ...database.connection, max: connections });
  const bench: Bench = {
    burgee: { url: server.url, token: reader?.token ?? adminToken },
    reader,
    pid: server.pid,
    pool,
    reference: reader ? undefined : reference,
    needles: needlesOf(events),
    seconds: Number(options.seconds),
  };
  try {
    return await work(bench, server.startMs);
  } finally {
    await pool.end();
    await database.close();
    await server.stop();
  }
}

const measureOn = (dataDir: string, events: number): Promise<Result[]> =>
  onLog(dataDir, events, undefined, async (bench, startMs) => {
    const start = { target: '< 1 s', met: startMs < 1_000, ours: { maxMs: startMs } };
    const results: Result[] = [{ name: 'start: existing database, full log', ...start }];
    for (const experiment of experiments) {
      if (wanted(experiment.name)) results.push(...(await run(experiment, bench)));
    }
    const megabytes = residentMb(bench.pid);
    results.push({
      name: 'memory: at the end',
      ours: { ...(megabytes !== undefined && { megabytes }) },
    });
    return results;
  });

/** Measures readers other than administrators, each on a server with empty caches. */
async function measureReaders(dataDir: string, events: number): Promise<Result[]> {
  const chosen = forReaders.filter(({ name }) => wanted(name));
  if (chosen.length === 0 || !options.readers) return [];
  const readers = await onLog(dataDir, events, undefined, ({ burgee, pool }) =>
    makeReaders(burgee, pool),
  );
  const results: Result[] = [];
  for (const reader of readers) {
    say(`for ${reader.name}`);
    const found = await onLog(dataDir, events, reader, async (bench) => {
      const rows: Result[] = [];
      for (const experiment of chosen) rows.push(...(await run(experiment, bench)));
      return rows;
    });
    results.push(...found);
  }
  return results;
}

function writeResults(results: readonly Result[], events: number): string {
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = `${folder}${at.replace(/[:.]/g, '-')}.json`;
  const machine = {
    cores: cpus().length,
    architecture: process.arch,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  writeFileSync(file, `${JSON.stringify({ at, machine, events, results }, null, 2)}\n`);
  return file;
}

async function main(): Promise<void> {
  const events = Number(options.events);
  if (!Number.isInteger(events) || events < 1_000) throw new Error('--events takes 1000 or more');
  buildBurgee();
  const results: Result[] = [];
  if (wanted(starts)) {
    say('measuring starts');
    results.push(...(await measureStarts()));
  }
  if (wanted(authentication)) {
    say('measuring authentication');
    results.push(
      ...(await measureAuthentication().catch((error) => [complaint(authentication, error)])),
    );
  }
  if (wanted(features)) {
    say('measuring features');
    results.push(
      ...(await measureFeatures(reference).catch((error) => [complaint(features, error)])),
    );
  }
  if (wanted(changeRequests)) {
    say('measuring change-requests');
    results.push(
      ...(await measureChangeRequests().catch((error) => [complaint(changeRequests, error)])),
    );
  }
  if (wanted(deliveries)) {
    say('measuring deliveries');
    results.push(...(await measureDeliveries().catch((error) => [complaint(deliveries, error)])));
  }
  const seconds = Number(options.seconds);
  if (wanted(health)) {
    say('measuring health');
    results.push(
      ...(await measureHealth(seconds, reference).catch((error) => [complaint(health, error)])),
    );
  }
  if (wanted(history)) {
    say('measuring history');
    results.push(...(await measureHistory().catch((error) => [complaint(history, error)])));
  }
  if (wanted(clientApi)) {
    say('measuring client-api');
    results.push(
      ...(await measureClientApi(seconds, reference).catch((error) => [
        complaint(clientApi, error),
      ])),
    );
  }
  if (wanted(streaming)) {
    say('measuring streaming');
    results.push(...(await measureStreaming().catch((error) => [complaint(streaming, error)])));
  }
  for (const [name, measure] of [
    [serving, () => measureServing(byServer, seconds)],
    [edge, () => measureServing(byEdge, seconds)],
    [manyStreams, () => measureManyStreams(byEdge)],
    [threeInstances, measureThreeInstances],
  ] as const) {
    if (!wanted(name)) continue;
    say(`measuring ${name}`);
    results.push(...(await measure().catch((error: unknown) => [complaint(name, error)])));
  }
  if (wanted(stalls)) {
    say('measuring stalls');
    results.push(...(await measureStalls(say).catch((error) => [complaint(stalls, error)])));
  }
  if (wanted(tails)) {
    say('measuring tails');
    results.push(...(await measureTails().catch((error) => [complaint(tails, error)])));
  }
  if (!options.only?.every((name) => withoutLog.includes(name))) {
    results.push(...(await measureWithLog(events)));
  }
  say(`\n${tableOf(results)}\n\n${writeResults(results, events)}`);
  const missed = results.filter(({ met }) => met === false);
  if (missed.length > 0)
    say(`${missed.length} missed: ${missed.map(({ name }) => name).join('; ')}`);
  if (options.assert && missed.length > 0) process.exitCode = 1;
}

/** Generates the log, or uses the stored one, and runs all its experiments. */
async function measureWithLog(events: number): Promise<Result[]> {
  const results: Result[] = [];
  const dataDir = options.keep ?? temporaryFolder();
  try {
    await ensureLog(dataDir, events, say);
    if (wanted(exported.name)) {
      say('measuring export on a server that has just started');
      results.push(
        ...(await measureColdExport(dataDir).catch((error) => [complaint('export', error)])),
      );
    }
    if (wanted(backup)) {
      say('measuring backup');
      results.push(...(await measureBackup(dataDir).catch((error) => [complaint(backup, error)])));
    }
    results.push(...(await measureReaders(dataDir, events)));
    results.push(...(await measureOn(dataDir, events)));
  } finally {
    if (options.keep === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
  return results;
}

await main();
