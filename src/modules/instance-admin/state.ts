import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import type { Db } from '../../platform/db/database.ts';
import { apiVersion, version } from '../../platform/version.ts';
import { findInstanceId } from '../access/settings/index.ts';
import type { InstanceState } from './contract.ts';
import { readDatabase } from './queries.ts';

/** Undefined if the folder cannot be read: the page then shows no disk, and everything else. */
async function readDisk(folder: string): Promise<InstanceState['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { folder, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Describes the instance that answers, and its database. */
export async function getInstanceState(
  db: Db,
  { now, dataDir }: { readonly now: Date; readonly dataDir: string | undefined },
): Promise<InstanceState> {
  const disk = dataDir === undefined ? undefined : await readDisk(dataDir);
  return {
    instanceId: await findInstanceId(db),
    burgeeVersion: version,
    apiVersion,
    nodeVersion: process.version,
    startedAt: new Date(now.getTime() - process.uptime() * 1000).toISOString(),
    processors: availableParallelism(),
    memory: {
      usedBytes: process.memoryUsage.rss(),
      freeBytes: freemem(),
      totalBytes: totalmem(),
    },
    database: {
      ...(await readDatabase(db)),
      kind: dataDir === undefined ? 'external' : 'embedded',
    },
    ...(disk && { disk }),
  };
}
