import { type Mail, oneLine } from '../../../access/users/index.ts';
import { absoluteUrl, plainText, readSentence, type Span } from '../../../events/index.ts';
import type { MailedChange } from '../changes/queries.ts';

/** How many changes an email lists. */
const maxListed = 50;
/** How many are counted. */
export const maxCounted = 200;

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

/** The last link of a sentence without a feature is that of its project. */
const addressOf = (spans: readonly Span[]): string | undefined => {
  const paths = spans.flatMap(({ path }) => (path === undefined ? [] : [path]));
  return paths.find((path) => path.includes('/features/')) ?? paths.at(-1);
};

const timeOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `count` is exact up to `maxCounted`. */
const countOf = (changes: number): string => {
  if (changes >= maxCounted) return `${maxCounted} changes or more`;
  return changes === 1 ? '1 change' : `${changes} changes`;
};

/** An email about changes, the newest first. Names come from users and are escaped in the page. */
export function composeEmail(to: string, changes: readonly MailedChange[], baseUrl: string): Mail {
  const listed = changes.slice(0, maxListed).map(({ createdAt, summary }) => {
    const spans = readSentence(oneLine(summary));
    const path = addressOf(spans);
    return {
      time: timeOf(createdAt),
      spans,
      url: path === undefined ? undefined : absoluteUrl(baseUrl, path),
    };
  });
  const home = absoluteUrl(baseUrl, '/');
  const stop = absoluteUrl(baseUrl, '/profile?tab=following');
  const isCut = changes.length > listed.length;
  const cutText = `These are the newest ${maxListed}. All are on your home page:`;
  const lines = listed.map(
    ({ time, spans, url }) =>
      `${time}\n${plainText(spans)}${url === undefined ? '' : `\n${url}`}\n`,
  );
  const items = listed.map(
    ({ time, spans }) =>
      `<li style="margin-bottom:12px">${htmlOf(spans, baseUrl)}<br><small>${time}</small></li>`,
  );
  return {
    to,
    subject: `Burgee: ${countOf(changes.length)} of what you follow`,
    text: [
      ...lines,
      ...(isCut ? [`${cutText}\n${home}\n`] : []),
      `You get this letter because you follow these features or projects.\nTo stop it, or to choose what you follow:\n${stop}\n`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:15px;line-height:1.4">',
      `<ul style="padding-left:18px">${items.join('')}</ul>`,
      ...(isCut ? [`<p>${cutText} <a href="${escapeHtml(home)}">Home</a></p>`] : []),
      `<p><small>You get this letter because you follow these features or projects. <a href="${escapeHtml(stop)}">Stop it, or choose what you follow</a></small></p>`,
      '</body></html>',
    ].join('\n'),
  };
}
