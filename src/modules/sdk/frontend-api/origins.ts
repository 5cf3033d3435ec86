import { eventsChannel } from '../../../platform/db/channels.ts';
import { createOutageWatch } from '../../../platform/db/outage.ts';
import { createLookupCache } from '../../../platform/lookup-cache.ts';
import type { Services } from '../../../platform/module.ts';
import { frontendOrigins } from '../../access/settings/index.ts';

type FindOrigins = () => readonly string[] | Promise<readonly string[]>;

/** Believed for a second, and not even that long once it is known that something changed. */
function createOrigins({ db, clock, listener, onCommit, silence }: Services): FindOrigins {
  const cache = createLookupCache<readonly string[]>();
  const outage = createOutageWatch({ silence });
  let last: readonly string[] | undefined;
  listener.on(eventsChannel, cache.clear);
  onCommit(cache.clear);
  const find = async () => {
    last = await frontendOrigins(db);
    return last;
  };
  return () => {
    const known = cache.get('origins', clock().getTime(), () => outage.ask(find, () => last));
    if (!(known instanceof Promise)) return known;
    // A page has to be able to read that the database is away, too.
    return known.then(
      (origins) => origins ?? last ?? [],
      () => last ?? [],
    );
  };
}

const shared = new WeakMap<Services, FindOrigins>();

/** The origins whose pages may use what a server decides; one for all modules of it. */
export function originsOf(services: Services): FindOrigins {
  const found = shared.get(services) ?? createOrigins(services);
  shared.set(services, found);
  return found;
}
