import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { created } from '../../../../test/support/providers/sent-events.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { markdown as written } from '../../events/record/summary.ts';
import { leadsTo, markdown, mrkdwn, plainText, readSentence, shorten } from './sentence.ts';
import { slackText } from './slack-app/message.ts';
import { cardMessage } from './teams/card.ts';

const base = 'https://flags.example.com';

/** Names that try to break out of the formatting. */
const name = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['*', '**', '_', '~', '`', '```', '[', ']', '(', ')', '](', '<', '>', '|', '&', '\\'],
        ...['@everyone', '@here', '<@1>', '<@U1>', '<!channel>', '<#C1>', '<:a:1>', '<t:1:R>'],
        ...['https://evil.example', '[x](https://evil.example)', '<https://evil.example|x>'],
        ...['&lt;', ':tada:', '# ', '- ', '> ', '1. ', '-# ', '||', ' ', '{{DATE(1)}}', '🚢'],
      ),
      fc.string({ maxLength: 4, unit: 'grapheme' }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '');

/** A summary as the events module writes it: a name, a name with a link, and text between them. */
const sentenceWith = (who: string, feature: string) =>
  `${written.bold(who)} switched ${written.link(written.bold(feature), '/projects/a/features/b')} on: ${written.bold('x')}`;

/** Line breaks become spaces. */
const shown = (text: string) => text.replace(/[\r\n]+/g, ' ');

const forAll = (check: (who: string, feature: string) => void) =>
  fc.assert(fc.property(name, name, check), randomCases(300, 10_000));

describe('a stored summary', () => {
  test('is parsed into spans', () => {
    expect(
      readSentence(
        '**ada** changed [**it\\_\\(1\\)**](/projects/a/features/it_%281%29) \\(a\\) to **x\\*\\\\**',
      ),
    ).toEqual([
      { text: 'ada', bold: true },
      { text: ' changed ', bold: false },
      { text: 'it_(1)', bold: true, path: '/projects/a/features/it_%281%29' },
      { text: ' (a) to ', bold: false },
      { text: 'x*\\', bold: true },
    ]);
  });

  test('with invalid Markdown is parsed as plain text', () => {
    for (const text of ['a * b', '**', '[x', 'x](y)', '[a] (b)', 'end\\', '** a']) {
      expect(plainText(readSentence(text))).toBe(text);
    }
  });

  test('contains every name unchanged in plain text', () => {
    forAll((who, feature) => {
      expect(plainText(readSentence(sentenceWith(who, feature)))).toBe(
        `${shown(who)} switched ${shown(feature)} on: x`,
      );
    });
  });

  test('links to the feature rather than to the project', () => {
    const spans = readSentence('[**a**](/projects/a) [**b**](/projects/a/features/b)');
    expect(leadsTo(spans, `${base}/`)).toBe(`${base}/projects/a/features/b`);
    expect(leadsTo(readSentence('[**a**](/projects/a)'), base)).toBe(`${base}/projects/a`);
    expect(leadsTo(readSentence('**a**'), base)).toBeUndefined();
  });
});

describe('shortening a summary', () => {
  test('cuts between characters and appends an ellipsis', () => {
    const spans = readSentence('**ab** c **🚢🚢**');
    expect(plainText(shorten(spans, 9))).toBe('ab c 🚢🚢');
    expect(plainText(shorten(spans, 8))).toBe('ab c 🚢…');
    expect(plainText(shorten(spans, 7))).toBe('ab c …');
    expect(shorten(spans, 3)).toEqual([
      { text: 'ab', bold: true },
      { text: '…', bold: false },
    ]);
  });

  test('never exceeds the limit', () => {
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 60 }), (who, feature, most) => {
        const text = plainText(shorten(readSentence(sentenceWith(who, feature)), most));
        expect(text.length).toBeLessThanOrEqual(most);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('a summary in Markdown', () => {
  /** The text with every escaped character replaced by a letter. */
  const bones = (text: string) => text.replace(/\\[^0-9A-Za-z\s]/g, 'x');

  test('has absolute links and bold names', () => {
    expect(markdown(readSentence(sentenceWith('ada', 'new_checkout')), `${base}/`)).toBe(
      `**ada** switched [**new\\_checkout**](${base}/projects/a/features/b) on: **x**`,
    );
  });

  test('cannot be formatted by a name: no bold, link, mention, emoji or list', () => {
    forAll((who, feature) => {
      const said = bones(markdown(readSentence(sentenceWith(who, feature)), base));
      const link = `](${base}/projects/a/features/b)`;
      const hasLink = !/[[\]]/.test(feature);
      expect(said.split(link)).toHaveLength(hasLink ? 2 : 1);
      const rest = said.replace(link, '');
      expect(rest.match(/\*\*/g)).toHaveLength(6);
      expect(rest.replaceAll('**', '').replace(hasLink ? '[' : '', '')).not.toMatch(
        /[*_~`|<>@#[\]()\\]|:\S|^\s*([-+]|\d+\.)/,
      );
    });
  });

  test('reads like the original after unescaping', () => {
    forAll((who) => {
      const said = markdown(readSentence(written.bold(who)), base);
      expect(said.slice(2, -2).replace(/\\([^0-9A-Za-z\s])/g, '$1')).toBe(shown(who));
    });
  });
});

describe('a summary in the markup of Slack', () => {
  const said = (who: string, feature = 'b') =>
    mrkdwn(readSentence(sentenceWith(who, feature)), base);
  const link = `<${base}/projects/a/features/b|`;

  test('has absolute links and bold names', () => {
    expect(said('ada@example.com', 'new_checkout')).toBe(
      `*ada@example.com* switched *${link}new_checkout>* on: *x*`,
    );
  });

  test('shows a name with special characters as code', () => {
    for (const who of ['a*b', '_a_', 'a~b', ':tada:', '@channel', 'https://evil.example', ' a']) {
      expect(said(who)).toBe(`\`${who}\` switched *${link}b>* on: *x*`);
    }
    expect(said('a`b')).toBe(`\`a'b\` switched *${link}b>* on: *x*`);
  });

  test('cannot be changed by a name: code and bold stay closed, and there is no extra link or mention', () => {
    forAll((who, feature) => {
      const text = said(who, feature);
      expect(text.match(/<[^<>]*>/g)).toEqual([expect.stringMatching(/^<https:\/\/flags/)]);
      expect(text.match(/[<>]/g)).toHaveLength(2);
      const [before = '', after = ''] = text.split(link);
      const quotes = /^(?:`[^`]+`|\*[^*`~\s](?:[^*`~]*[^*`~\s])?\*) switched [`*]$/s;
      expect(before).toMatch(quotes);
      expect(after).toMatch(/^(?:[^`]+>`|[^*`~]+>\*) on: \*x\*$/s);
      expect(after.replace(/>[`*] on: \*x\*$/, '')).not.toMatch(/[<>]/);
    });
  });
});

describe('messages with structured formatting', () => {
  const event = (who: string, feature: string) => ({
    ...created,
    summary: sentenceWith(who, feature),
  });

  test('contain every name unchanged in Slack blocks', () => {
    forAll((who, feature) => {
      const [rich] = slackText(event(who, feature), base).blocks;
      const bold = { style: { bold: true } };
      expect(rich).toEqual({
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: shown(who), ...bold },
              { type: 'text', text: ' switched ' },
              {
                type: 'link',
                url: `${base}/projects/a/features/b`,
                text: shown(feature),
                ...bold,
              },
              { type: 'text', text: ' on: ' },
              { type: 'text', text: 'x', ...bold },
            ],
          },
        ],
      });
    });
  });

  test('contain no name in a Markdown block of Teams cards', () => {
    const awkward = { ...event('[a](https://evil.example)', '**b**'), createdBy: '**c**' };
    const card = JSON.stringify(
      cardMessage({ ...awkward, project: '_d_', environment: '*e*' }, base),
    );
    const blocks = card.match(/\{"type":"TextBlock"[^}]*/g) ?? [];
    expect(blocks).toHaveLength(2);
    expect(blocks.join()).not.toMatch(/evil|\*|_d_/);
    expect(card).not.toContain('FactSet');
  });
});
