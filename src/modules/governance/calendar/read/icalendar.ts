import { absoluteUrl } from '../../../events/index.ts';
import type { CalendarScope } from '../calendar-schema.ts';
import type { CalendarRequest } from './service.ts';

/** Lines are folded after this many bytes. */
const maxLineBytes = 75;

/** Splits a line into lines of at most 75 bytes, between characters. Further ones begin with a blank. */
export function folded(line: string): string {
  const lines = [''];
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxLineBytes) {
      lines.push(' ');
      bytes = 1;
    }
    lines[lines.length - 1] += character;
    bytes += size;
  }
  return lines.join('\r\n');
}

/** Characters with a meaning in a text are escaped, and other control characters left out, as they are not allowed. */
export const escapedText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\r\n]/g, '\\n')
    .replace(/[^\P{Cc}\t]/gu, '');

/** "20261123T080000Z". */
const timeOf = (instant: Date): string =>
  instant.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');

const statusWords: Readonly<Record<CalendarRequest['status'], string>> = {
  pending: '',
  suspended: 'Suspended: ',
  failed: 'Failed: ',
  applied: 'Applied: ',
  canceled: 'Canceled: ',
};

const isOff = (status: CalendarRequest['status']): boolean =>
  status === 'suspended' || status === 'canceled';

const titleOf = ({ title, isGenerated, environment }: CalendarRequest): string =>
  isGenerated ? title : `${title} in ${environment}`;

interface FileOptions {
  readonly scope: CalendarScope;
  readonly baseUrl: string;
  /** Identifies the events together with the IDs of their requests. It never changes, unlike the URL. */
  readonly instanceId: string;
}

function eventLines(request: CalendarRequest, { baseUrl, instanceId }: FileOptions): string[] {
  const { id, project, environment, status, reason, sequence, scheduledAt, changedAt } = request;
  const url = absoluteUrl(
    baseUrl,
    `/projects/${encodeURIComponent(project)}/change-requests/${id}`,
  );
  const description = [
    ...(reason === null ? [] : [reason]),
    `Change request #${id} in project ${project}, environment ${environment}`,
    ...(request.timeZone === null ? [] : [`Time zone: ${request.timeZone}`]),
    url,
  ].join('\n');
  return [
    'BEGIN:VEVENT',
    `UID:change-request-${id}@${instanceId}`,
    `DTSTAMP:${timeOf(changedAt)}`,
    `LAST-MODIFIED:${timeOf(changedAt)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART:${timeOf(scheduledAt)}`,
    `SUMMARY:${escapedText(`${statusWords[status]}${titleOf(request)}`)}`,
    `DESCRIPTION:${escapedText(description)}`,
    `URL:${url}`,
    `STATUS:${isOff(status) ? 'CANCELLED' : 'CONFIRMED'}`,
    // A change takes no one's time.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

const nameOf = ({ project, feature }: CalendarScope): string => {
  const of = feature ?? project;
  return of === undefined ? 'Scheduled changes' : `Scheduled changes: ${of}`;
};

/** A file needs at least one component, and some apps don't subscribe to one without. No event refers to this one. */
const withoutEvents = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** An iCalendar file (RFC 5545). It depends only on the requests, so that an entity tag recognizes it. */
export function calendarFile(requests: readonly CalendarRequest[], options: FileOptions): string {
  const name = escapedText(nameOf(options.scope));
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Burgee//Scheduled changes//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...(requests.length === 0
      ? withoutEvents
      : requests.flatMap((request) => eventLines(request, options))),
    'END:VCALENDAR',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
