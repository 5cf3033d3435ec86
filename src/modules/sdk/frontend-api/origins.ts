import { eventsChannel } from '../../../platform/db/channels.ts';
import { createOutageWatch } from '../../../platform/db/outage.ts';
import { createLookupCache } from '../../../platform/lookup-cache.ts';
import type { Services } from '../../../platform/module.ts';
import { frontendOrigins } from '../../access/settings/index.ts';

/** Returns the origins whose pages may call the Frontend API. */
type FindOrigins = () => readonly string[] | Promise<readonly string[]>;

declare module '../../../platform/module.ts' {
  interface Services {
    /** Shared by all modules of a server. */
    readonly findFrontendOrigins: FindOrigins;
  }
}

/** Caches the setting for a second, or until the next commit. */
export function createOrigins({
  db,
  clock,
  listener,
  onCommit,
  breaker,
}: Pick<Services, 'db' | 'clock' | 'listener' | 'onCommit' | 'breaker'>): FindOrigins {
  const cache = createLookupCache<readonly string[]>();
  const outage = createOutageWatch({ breaker });
  let last: readonly string[] | undefined;
  listener.on(eventsChannel, cache.clear);
  onCommit(cache.clear);
  const find = async () => {
    last = await frontendOrigins(db);
    return last;
  };
  return () => {
    const cached = cache.get('origins', clock().getTime(), () => outage.ask(find, () => last));
    if (!(cached instanceof Promise)) return cached;
    // During an outage of the database, a page must still be able to read the error.
    return cached.then(
      (origins) => origins ?? last ?? [],
      () => last ?? [],
    );
  };
}
