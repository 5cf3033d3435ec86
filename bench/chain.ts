import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import {
  type Content,
  contentHash,
  genesisHash,
  linkHash,
} from '../src/modules/events/proof/hash.ts';
import { searchText } from '../src/modules/events/record/search-text.ts';
import type { Connection } from '../src/platform/db/connect.ts';

type StoredEvent = Content & {
  readonly id: number;
  readonly hash: Buffer;
  readonly search: string | null;
  readonly side: Readonly<Record<string, string>> | null;
};

const runLength = 2_000;
const runs = 10;

const readRun = (client: pg.Client, from: number) =>
  client.query<StoredEvent>(
    `select e.id::int, e.type, e.created_by as "createdBy",
            to_char(e.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
            e.created_by_user_id::int as "createdByUserId", e.ip, e.request_id as "requestId",
            e.project, e.environment, e.feature_name as "featureName", e.data,
            e.pre_data as "preData", e.tags, e.actor_seal as "actorSeal",
            e.subject_keys as "subjectKeys", e.subject_seal as "subjectSeal", e.hash, t.search,
            (select json_object_agg(part, s.search) from event_side_texts s where s.id = e.id) as side
     from events e left join event_texts t using (id)
     where e.id >= $1 order by e.id limit $2`,
    [from, runLength],
  );

const expectedSide = ({ preData, tags }: StoredEvent) => {
  const side = {
    ...(preData && { preData: searchText(preData) }),
    ...(Array.isArray(tags) && tags.length > 0 && { tags: searchText(tags) }),
  };
  return Object.keys(side).length > 0 ? side : null;
};

function checkEvent(event: StoredEvent, previous: Uint8Array): void {
  if (!linkHash(event.id, previous, contentHash(event)).equals(event.hash)) {
    throw new Error(`event ${event.id} does not follow from the one before`);
  }
  if (event.search !== (event.data && searchText(event.data))) {
    throw new Error(`event ${event.id} is searched in another text than its own`);
  }
  if (!isDeepStrictEqual(event.side, expectedSide(event))) {
    throw new Error(`event ${event.id} has other side texts than its own`);
  }
}

/** Recomputes runs of links, evenly over the log, from the stored events. Returns how many. */
export async function checkChain(connection: Connection, lastId: number): Promise<number> {
  const client = new pg.Client({ ...connection, options: '-c TimeZone=UTC' });
  await client.connect();
  let checked = 0;
  try {
    for (let run = 0; run < runs; run += 1) {
      const from = Math.max(1, Math.floor(((lastId - runLength) * run) / (runs - 1)));
      let previous: StoredEvent | undefined;
      for (const event of (await readRun(client, from)).rows) {
        if (previous && event.id !== previous.id + 1) {
          throw new Error(`event ${previous.id + 1} is missing`);
        }
        if (previous || event.id === 1) {
          checkEvent(event, previous?.hash ?? genesisHash);
          checked += 1;
        }
        previous = event;
      }
    }
    return checked;
  } finally {
    await client.end();
  }
}
