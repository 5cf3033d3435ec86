import { describe, expect, test } from 'vitest';
import { excludeValue, parse, print, setValue, toggleValue } from './grammar.ts';
import { readMoment } from './moment.ts';
import { translate, type Vocabulary } from './translate.ts';

/** A Monday. */
const now = new Date(2026, 10, 16, 14, 3, 11);

const vocabulary: Vocabulary = {
  types: ['feature-created', 'feature-archived', 'feature-environment-enabled', 'user-created'],
  projects: ['web-shop', 'web-blog', 'mobile'],
  environments: ['development', 'production'],
  creators: [
    { id: 7, name: 'Ann Olsen' },
    { id: 8, name: 'anna' },
    { id: -2, name: 'deploy-bot' },
  ],
  me: 7,
  now,
};

const day = (year: number, month: number, date: number) => new Date(year, month - 1, date);
const justBefore = (date: Date) => new Date(date.getTime() - 1).toISOString();

describe('parameters of a query', () => {
  test.each([
    ['', {}],
    ['type:feature-created', { type: 'IS:feature-created' }],
    [
      'type:feature-*',
      {
        type: 'IS_ANY_OF:feature-created,feature-archived,feature-environment-enabled',
      },
    ],
    [
      'type:feature-* -type:feature-archived',
      {
        type: 'IS_ANY_OF:feature-created,feature-environment-enabled',
      },
    ],
    ['-type:feature-archived', { notType: 'IS:feature-archived' }],
    [
      '-type:feature-*',
      {
        notType: 'IS_ANY_OF:feature-created,feature-archived,feature-environment-enabled',
      },
    ],
    ['project:web-shop project:mobile', { project: 'IS_ANY_OF:web-shop,mobile' }],
    ['project:web-shop,mobile', { project: 'IS_ANY_OF:web-shop,mobile' }],
    ['project:web-*', { project: 'IS_ANY_OF:web-shop,web-blog' }],
    ['project:deleted-long-ago', { project: 'IS:deleted-long-ago' }],
    ['env:production', { environment: 'IS:production' }],
    [
      'environment:production flag:dark-mode',
      {
        environment: 'IS:production',
        feature: 'IS:dark-mode',
      },
    ],
    ['actor:ann', { createdBy: 'IS_ANY_OF:7,8' }],
    ['actor:"Ann Olsen"', { createdBy: 'IS:7' }],
    ['actor:me', { createdBy: 'IS:7' }],
    ['-actor:deploy-bot', { notCreatedBy: 'IS:-2' }],
    ['id:12,#13', { id: 'IS_ANY_OF:12,13' }],
    ['checkout express', { query: 'checkout express', queryIn: 'data,preData,tags' }],
    ['"a:b \\"c\\""', { query: 'a:b "c"', queryIn: 'data,preData,tags' }],
    [
      'on:2026-11-10',
      {
        createdAfter: justBefore(day(2026, 11, 10)),
        createdBefore: day(2026, 11, 11).toISOString(),
      },
    ],
    [
      'after:2026-11-01 before:2026-11-03',
      {
        createdAfter: justBefore(day(2026, 11, 1)),
        createdBefore: day(2026, 11, 3).toISOString(),
      },
    ],
    ['TYPE:user-created', { type: 'IS:user-created' }],
  ])('are sent for: %s', (source, parameters) => {
    expect(translate(parse(source), vocabulary)).toEqual({ parameters, problems: [] });
  });
});

describe('a problem in a query', () => {
  test.each([
    [
      'type:feature-crated',
      'feature-crated',
      'Unknown event type “feature-crated”. Did you mean feature-created? Use * as a wildcard, e.g. feature-*',
    ],
    ['type:zzz-*', 'zzz-*', 'No event type matches “zzz-*”'],
    ['env:production type:', 'type:', 'type: needs a value, e.g. type:feature-*'],
    [
      'colour:red',
      'colour:red',
      'Unknown qualifier “colour:”. Put it in quotes to search for it as text',
    ],
    ['"open', '"open', 'Missing closing quote'],
    ['"one" "two"', '"two"', 'Only one quoted phrase is supported. Combine them into one'],
    ['actor:zed', 'zed', 'No actor matches “zed”'],
    ['feature:dark-*', 'dark-*', "feature: doesn't support wildcards. Enter the full name"],
    [
      'after:soon',
      'soon',
      "“soon” isn't a date or time. Try 2026-11-01, tuesday, 7d, 24h, or yesterday",
    ],
    [
      'on:2026-02-30',
      '2026-02-30',
      "“2026-02-30” isn't a date. Try 2026-11-01, tuesday, yesterday, or last-week",
    ],
    ['-after:7d', '-after:7d', "after: can't be excluded"],
    [
      'after:2026-11-03 before:2026-11-01',
      'before:2026-11-01',
      'The time range ends before it starts',
    ],
    ['id:abc', 'abc', 'Event IDs are numbers, e.g. id:4218'],
  ])('is reported with its position: %s', (source, part, message) => {
    const { problems } = translate(parse(source), vocabulary);
    expect(problems.map((each) => [source.slice(each.start, each.end), each.message])).toEqual([
      [part, message],
    ]);
  });
});

describe('a query that is parsed and printed', () => {
  test.each([
    '',
    'type:feature-* project:web-shop actor:ann env:production "free text" before:2026-11-01',
    '-actor:deploy-bot type:feature-created,user-created',
    'actor:"Ann Olsen"',
    'actor:"say \\"hi\\"",bob',
    'checkout express',
    '"type:feature-created"',
    '"back\\\\slash"',
  ])('stays the same: %s', (source) => {
    expect(print(parse(source).tokens)).toBe(source);
    expect(parse(print(parse(source).tokens)).tokens).toEqual(parse(source).tokens);
  });
});

describe('a facet', () => {
  test('adds a value to the query and removes it', () => {
    expect(toggleValue('"x"', 'project', 'web shop')).toBe('"x" project:"web shop"');
    expect(toggleValue('project:a "x"', 'project', 'b')).toBe('project:a,b "x"');
    expect(toggleValue('project:a,b "x"', 'project', 'a')).toBe('project:b "x"');
    expect(toggleValue('project:b "x"', 'project', 'b')).toBe('"x"');
  });

  test('excludes a value and replaces a single one', () => {
    expect(excludeValue('actor:bot x', 'actor', 'bot')).toBe('x -actor:bot');
    expect(setValue('after:7d x', 'after', '1h')).toBe('x after:1h');
    expect(setValue('after:7d x', 'after', undefined)).toBe('x');
  });
});

describe('a time expression', () => {
  test.each([
    ['today', day(2026, 11, 16), day(2026, 11, 17)],
    ['yesterday', day(2026, 11, 15), day(2026, 11, 16)],
    ['monday', day(2026, 11, 16), day(2026, 11, 17)],
    ['last-monday', day(2026, 11, 9), day(2026, 11, 10)],
    ['tuesday', day(2026, 11, 10), day(2026, 11, 11)],
    ['last tuesday', day(2026, 11, 10), day(2026, 11, 11)],
    ['tue', day(2026, 11, 10), day(2026, 11, 11)],
    ['7d', day(2026, 11, 9), day(2026, 11, 10)],
    ['2w', day(2026, 11, 2), day(2026, 11, 3)],
    ['1mo', day(2026, 10, 16), day(2026, 10, 17)],
    ['this-week', day(2026, 11, 16), day(2026, 11, 23)],
    ['last-week', day(2026, 11, 9), day(2026, 11, 16)],
    ['2026-10', day(2026, 10, 1), day(2026, 11, 1)],
    ['1h', new Date(2026, 10, 16, 13, 3), new Date(2026, 10, 16, 13, 3)],
    ['2026-11-16T10:00', new Date(2026, 10, 16, 10), new Date(2026, 10, 16, 10)],
  ])('%s is understood', (words, from, to) => {
    expect(readMoment(words, now)).toEqual({ from, to });
  });

  test.each(['', 'soon', '2026-13-01', '0000-01-01', 'mo', '5x'])('%j is rejected', (words) => {
    expect(readMoment(words, now)).toBeUndefined();
  });
});
