import { exactTime, sinceText } from './dates.ts';
import { Tooltip } from './tooltip.tsx';

/** How long ago, or the date from 7 days on, with the exact time as a tooltip. */
export const Since = ({ instant }: { readonly instant: string }) => (
  <Tooltip label={exactTime(instant)}>
    <time dateTime={instant} style={{ whiteSpace: 'nowrap' }}>
      {sinceText(instant, new Date())}
    </time>
  </Tooltip>
);

/** The same for tables of hundreds of rows: the browser's own tooltip costs nothing to render. */
export const SinceInTable = ({ instant }: { readonly instant: string }) => (
  <time dateTime={instant} title={exactTime(instant)} style={{ whiteSpace: 'nowrap' }}>
    {sinceText(instant, new Date())}
  </time>
);
