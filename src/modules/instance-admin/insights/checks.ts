import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import { dayPattern, type insightsContract } from './contract.ts';

/** Whether a text of this form is a calendar day. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00.000Z`);
  return (
    !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) && !text.startsWith('0000')
  );
}

const faultOf = (name: string, text: string | undefined): Fault[] =>
  text === undefined || !new RegExp(dayPattern).test(text) || isDay(text)
    ? []
    : [{ path: `/query/${name}`, message: `/query/${name} isn't a valid date: ${text}` }];

export const checks = {
  getInstanceInsights: ({ query }) => [...faultOf('from', query.from), ...faultOf('to', query.to)],
} satisfies Checks<typeof insightsContract>;
