import type { Kysely } from 'kysely';
import { modules } from '../app/modules.ts';
import { transactOn } from '../app/transact.ts';
import { accountIdentity, findAccount, systemActor } from '../modules/access/gate/index.ts';
import type { Actor } from '../platform/actor.ts';
import { dayMs } from '../platform/clock.ts';
import type { Endpoint } from '../platform/contract/endpoint.ts';
import type { Database, Db, Transact } from '../platform/db/database.ts';
import type { Gate } from '../platform/http/authenticate.ts';
import type { Module } from '../platform/module.ts';
import type { Chapter, NeededPermission } from './chapter.ts';
import { findIdOf } from './people.ts';

/** The history lies in the past. Only the demo sets the clock. */
export function transactAt(db: Kysely<Database>, now: Date, daysAgo: number): Transact {
  const then = new Date(now.getTime() - daysAgo * dayMs);
  return transactOn(db, () => then);
}

const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  (modules as readonly Module[])
    .flatMap(({ contract }) => Object.values(contract))
    .map((endpoint) => [endpoint.id, endpoint]),
);

/** The author, with the access they had at that time. */
async function authorOf(db: Db, login: string | undefined): Promise<Actor> {
  if (login === undefined) return systemActor;
  const id = await findIdOf(db, login);
  const account = id === undefined ? undefined : await findAccount(db, id);
  if (!account) throw new Error(`The story names ${login}, who is not there yet`);
  return { ...accountIdentity(account), ip: null, requestId: null };
}

/** Checks the permission as a request would. A project or environment that the operation needs cannot be left out. */
async function permit(
  gate: Pick<Gate, 'permit'>,
  author: Actor,
  { operation, project, environment }: NeededPermission,
): Promise<void> {
  const endpoint = endpoints.get(operation);
  if (!endpoint) throw new Error(`The story asks for ${operation}, which the API does not have`);
  const parameters = { projectId: project, environment };
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) params[name] = value;
    else if (endpoint.path.includes(`:${name}`)) throw new Error(`${operation} needs :${name}`);
  }
  try {
    await gate.permit(author, endpoint, params);
  } catch (cause) {
    throw new Error(`${author.name} may not do ${operation}`, { cause });
  }
}

/** The story itself invalidates what the gate has cached. */
type StoryGate = Pick<Gate, 'permit'> & { readonly invalidate: () => void };

async function runChapter(
  db: Kysely<Database>,
  gate: StoryGate,
  now: Date,
  { daysAgo, by, requests, run }: Chapter,
): Promise<void> {
  const author = await authorOf(db, by);
  for (const request of requests) await permit(gate, author, request);
  await transactAt(db, now, daysAgo)(author, run);
  gate.invalidate();
}

/** Runs all chapters, oldest first. No one does what their roles forbid. */
export async function runStory(
  db: Kysely<Database>,
  gate: StoryGate,
  now: Date,
  chapters: readonly Chapter[],
): Promise<void> {
  for (const chapter of [...chapters].sort((a, b) => b.daysAgo - a.daysAgo)) {
    await runChapter(db, gate, now, chapter);
  }
}
