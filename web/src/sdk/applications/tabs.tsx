import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../../queries.ts';
import classes from '../../ui/tabs.module.css';

/** Applications, and the unknown flags that they request. */
export function ApplicationTabs() {
  const unknown = useQuery(read('GET /api/admin/metrics/unknown-flags', {})).data?.unknownFlags;
  const count = new Set(unknown?.map(({ name }) => name)).size;
  const active = { 'data-active': true, 'aria-current': 'page' } as const;
  return (
    <nav aria-label="Applications" className={classes.tabs}>
      <Link
        to="/applications"
        className={classes.tab}
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={active}
      >
        Applications
      </Link>
      <Link
        to="/unknown-flags"
        className={classes.tab}
        activeOptions={{ includeSearch: false }}
        activeProps={active}
      >
        Unknown flags {count > 0 && <b className="tabular">{count}</b>}
      </Link>
    </nav>
  );
}
