import { describe, expect, test } from 'vitest';
import { calendarFile, escapedText, folded } from './icalendar.ts';

describe('a folded line', () => {
  test('has parts of at most 75 bytes, and unfolds to the original', () => {
    for (const text of [
      'x'.repeat(400),
      'é'.repeat(100),
      '日本'.repeat(60),
      '👩‍🚀'.repeat(40),
      '',
    ]) {
      const line = `SUMMARY:${text}`;
      const lines = folded(line).split('\r\n');
      expect(lines.every((each) => Buffer.byteLength(each) <= 75)).toBe(true);
      expect(lines.slice(1).every((each) => each.startsWith(' '))).toBe(true);
      expect(folded(line).replaceAll('\r\n ', '')).toBe(line);
    }
  });
});

test('a text is escaped, and contains no control characters', () => {
  expect(escapedText('a;b,c\\d\r\ne\nf\u0007g\th')).toBe('a\\;b\\,c\\\\d\\ne\\nfg\th');
});

const request = {
  id: 3,
  title: '1 change to dark-mode in production',
  isGenerated: true,
  project: 'shop',
  environment: 'production',
  createdBy: 'Ada',
  createdByUserId: 1,
  scheduledAt: new Date('2026-11-23T08:00:00.500Z'),
  timeZone: 'Europe/Oslo',
  status: 'pending',
  reason: null,
  sequence: 2,
  changedAt: new Date('2026-11-18T15:00:00Z'),
  features: ['dark-mode'],
  segments: [],
} as const;

const options = { scope: {}, baseUrl: 'https://flags.example.com/', instanceId: 'an-instance' };

test('an event has a permanent ID, its time in UTC, its revision, and a link', () => {
  const file = calendarFile([request as never], options);
  expect(file).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/);
  expect(file.replace(/\r\n/g, '')).not.toMatch(/[\r\n]/);
  const lines = file.replaceAll('\r\n ', '').split('\r\n');
  expect(lines.slice(lines.indexOf('BEGIN:VEVENT'), -2)).toEqual([
    'BEGIN:VEVENT',
    'UID:change-request-3@an-instance',
    'DTSTAMP:20261118T150000Z',
    'LAST-MODIFIED:20261118T150000Z',
    'SEQUENCE:2',
    'DTSTART:20261123T080000Z',
    'SUMMARY:1 change to dark-mode in production',
    'DESCRIPTION:Change request #3 in project shop\\, environment production\\nTime zone: Europe/Oslo\\nhttps://flags.example.com/projects/shop/change-requests/3',
    'URL:https://flags.example.com/projects/shop/change-requests/3',
    'STATUS:CONFIRMED',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]);
});

test.each([
  ['suspended', 'Suspended: Launch in production', 'CANCELLED'],
  ['canceled', 'Canceled: Launch in production', 'CANCELLED'],
  ['failed', 'Failed: Launch in production', 'CONFIRMED'],
  ['applied', 'Applied: Launch in production', 'CONFIRMED'],
])('the summary of an event begins with its status (%s)', (status, summary, wanted) => {
  const changed = {
    ...request,
    status,
    title: 'Launch',
    isGenerated: false,
    reason: 'Changed; twice',
  };
  const file = calendarFile([changed as never], { ...options, scope: { feature: 'dark-mode' } });
  expect(file).toContain(`\r\nSUMMARY:${summary}\r\n`);
  expect(file).toContain(`\r\nSTATUS:${wanted}\r\n`);
  expect(file).toContain('DESCRIPTION:Changed\\; twice\\nChange request');
  expect(file).toContain('X-WR-CALNAME:Scheduled changes: dark-mode');
});

test('a calendar without events contains a time zone, because it needs a component', () => {
  const lines = calendarFile([], options).split('\r\n');
  expect(lines.filter((line) => line.startsWith('BEGIN:'))).toEqual([
    'BEGIN:VCALENDAR',
    'BEGIN:VTIMEZONE',
    'BEGIN:STANDARD',
  ]);
  expect(calendarFile([request as never], options)).not.toContain('VTIMEZONE');
});
