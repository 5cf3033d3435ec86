import { grouped } from '../../../../platform/grouped.ts';
import { joinAnd } from '../../../../platform/joined.ts';
import { type Mail, oneLine } from '../../../access/users/index.ts';
import { absoluteUrl, plainText, readSentence, type Span } from '../../../events/index.ts';
import { nameOwners } from '../../features/index.ts';
import type { MailedChange } from '../changes/queries.ts';

/** How many changes an email lists. */
const maxListed = 50;
/** How many are counted. */
export const maxCounted = 200;
/** How many features and projects a subject names. */
const maxNamed = 3;
/** Longer sentences are cut in a subject. */
const maxSubject = 150;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

const htmlOf = (spans: readonly Span[], baseUrl: string): string =>
  spans
    .map(({ text, bold, path }) => {
      const words = bold ? `<b>${escapeHtml(text)}</b>` : escapeHtml(text);
      if (path === undefined) return words;
      return `<a href="${escapeHtml(absoluteUrl(baseUrl, path))}">${words}</a>`;
    })
    .join('');

/** What a sentence is about: its feature, else its project, whose link is the last one. */
const subjectOf = (spans: readonly Span[]): Span | undefined => {
  const links = spans.filter(({ path }) => path !== undefined);
  return links.find(({ path }) => path?.includes('/features/')) ?? links.at(-1);
};

/** The reader's time zone is unknown. */
const times = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** "Nov 18, 09:12 UTC". */
const timeOf = (at: Date): string => `${times.format(at)} UTC`;

/** `count` is exact up to `maxCounted`. */
const countOf = (changes: number): string => {
  if (changes >= maxCounted) return `${maxCounted}+ changes`;
  return changes === 1 ? '1 change' : `${changes} changes`;
};

const followReason = "You're receiving this email because you follow these features or projects.";
/** Of an email about an event that is addressed to the reader. */
export const directReason =
  "You're receiving this email because you take part in this change request.";

interface ListedChange {
  readonly time: string;
  readonly spans: readonly Span[];
  readonly about: Span | undefined;
  readonly owner: string | undefined;
}

/** A single change is the subject itself. */
function subjectText(count: number, listed: readonly ListedChange[]): string {
  const [first] = listed;
  if (count === 1 && first) {
    const sentence = plainText(first.spans);
    return sentence.length > maxSubject ? `${sentence.slice(0, maxSubject - 1)}…` : sentence;
  }
  const names = [...new Set(listed.flatMap(({ about }) => about?.text ?? []))];
  const what = names.length === 0 ? 'features and projects you follow' : joinAnd(names, maxNamed);
  return `${countOf(count)} to ${what}`;
}

/**
 * An email about changes, the newest first, together for each feature or project. Names come from users and are escaped
 * in the page.
 */
export function composeEmail(
  to: string,
  changes: readonly MailedChange[],
  baseUrl: string,
  reason = followReason,
): Mail {
  const listed = changes.slice(0, maxListed).map((change): ListedChange => {
    const spans = readSentence(oneLine(nameOwners(change.summary, change.ownerNames)));
    const owner = change.owner ? `Owner: ${oneLine(change.owner)}` : undefined;
    return { time: timeOf(change.createdAt), spans, about: subjectOf(spans), owner };
  });
  const groups = [...grouped(listed, ({ about }) => about?.path ?? '').values()].map((own) => ({
    about: own[0]?.about,
    owner: own[0]?.owner,
    own,
  }));
  const urlOf = (path = '') => absoluteUrl(baseUrl, path);
  const home = urlOf('/');
  const stop = urlOf('/profile?tab=following');
  const isCut = changes.length > listed.length;
  const cutText = `Showing the latest ${maxListed} changes. View all on your home page:`;
  const lines = groups.flatMap(({ about, owner, own }) => [
    ...(about ? [`${about.text}\n${urlOf(about.path)}\n${owner ? `${owner}\n` : ''}`] : []),
    ...own.map(({ time, spans }) => `${plainText(spans)}\n${time}\n`),
  ]);
  const items = groups.map(({ about, owner, own }) => {
    const note = owner ? `<br><small>${escapeHtml(owner)}</small>` : '';
    const title = about
      ? `<p style="margin-bottom:4px">${htmlOf([about], baseUrl)}${note}</p>`
      : '';
    const entries = own.map(
      ({ time, spans }) =>
        `<li style="margin-bottom:8px">${htmlOf(spans, baseUrl)}<br><small>${time}</small></li>`,
    );
    return `${title}<ul style="margin-top:0;padding-left:18px">${entries.join('')}</ul>`;
  });
  return {
    to,
    subject: subjectText(changes.length, listed),
    text: [
      ...lines,
      ...(isCut ? [`${cutText}\n${home}\n`] : []),
      `${reason}\nManage notifications:\n${stop}\n`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:15px;line-height:1.4">',
      ...items,
      ...(isCut ? [`<p>${cutText} <a href="${escapeHtml(home)}">Home</a></p>`] : []),
      `<p><small>${escapeHtml(reason)} <a href="${escapeHtml(stop)}">Manage notifications</a></small></p>`,
      '</body></html>',
    ].join('\n'),
  };
}
